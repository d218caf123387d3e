//! The settings: each is explained, each can come from the environment, and none takes what makes no sense.

use arbiter::server::config::ServeConfig;
use clap::{Arg, ArgAction, Args, Command};
use tokio::process;

fn command() -> Command {
    ServeConfig::augment_args(Command::new("serve"))
}

/// What the help says of a setting.
fn help(setting: &Arg) -> String {
    setting.get_help().map(ToString::to_string).unwrap_or_default()
}

#[test]
fn every_setting_is_explained() {
    let command = command();
    let settings: Vec<&Arg> = command.get_arguments().collect();
    assert!(settings.len() > 25, "{}", settings.len());
    for setting in settings {
        let (name, help) = (setting.get_long().unwrap(), help(setting));
        let variable = format!("ARBITER_{}", name.to_uppercase().replace('-', "_"));
        assert_eq!(setting.get_env().unwrap().to_str(), Some(&*variable));
        assert!(help.len() > 10 && !help.contains("TODO"), "--{name}: {help}");
        if matches!(setting.get_action(), ArgAction::SetTrue) {
            continue;
        }
        let unit = setting.get_value_names().unwrap()[0].as_str();
        assert!(
            !setting.get_default_values().is_empty() || unit == "FILE" || help.contains("if not given"),
            "--{name} does not say what holds without it"
        );
        if let "SECONDS" | "COUNT" | "BYTES" | "PERCENT" = unit {
            assert!(help.contains('[') && help.trim_end_matches('.').ends_with(']'), "--{name}: {help}");
            let said = if unit == "SECONDS" { " s]" } else { " to " };
            assert!(help.contains(said), "--{name}: {help}");
        }
    }
}

/// The bounds that the help names are those that hold: on them a value is taken, beyond them it is not.
#[test]
fn numbers_keep_within_the_bounds_that_are_told() {
    let command = command();
    for setting in command.get_arguments() {
        let (name, help) = (setting.get_long().unwrap(), help(setting));
        let Some((_, range)) = help.rsplit_once('[') else { continue };
        let range = range.split(']').next().unwrap();
        let (least, most) = range.rsplit_once(" to ").unwrap();
        let most: f64 = most.split(' ').next().unwrap().parse().unwrap();
        // "0, 0.1 to 60" is nothing, or at least something.
        let least: f64 = least.rsplit(", ").next().unwrap().parse().unwrap();
        let takes = |value: &str| {
            let value = format!("--{name}={value}");
            self::command().try_get_matches_from(["serve", &value]).map_err(|error| error.to_string())
        };
        for good in [least, most] {
            assert!(takes(&good.to_string()).is_ok(), "--{name} {good}");
        }
        if range.starts_with("0,") {
            assert!(takes("0").is_ok(), "--{name} 0");
        }
        let is_whole = setting.get_value_names().unwrap()[0].as_str() != "SECONDS";
        let step = if is_whole { 1.0 } else { 0.001 };
        let too_small = if least == 0.0 { -1.0 } else { least - step };
        for bad in [too_small.to_string(), (most + step).to_string(), "many".to_owned(), String::new()] {
            let refused = takes(&bad).expect_err(&format!("--{name} {bad}"));
            assert!(refused.contains(&format!("--{name}")), "{refused}");
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_with_a_sentence() {
    for (flags, sentence) in [
        (&["--listen", "here"][..], "invalid socket address"),
        (&["--listen", "127.0.0.1"], "invalid socket address"),
        (&["--web-origins", "example.org"], "not an origin"),
        (&["--web-origins", "https://example.org/"], "not an origin"),
        (&["--reflection", "perhaps"], "true, false"),
        (&["--log-format", "xml"], "text, json"),
        (&["--drain-delay", "5s"], "not a number of seconds"),
        (&["--stall-limit", "0"], "not within 0.1 to 86400 seconds"),
        (&["--tls-cert", "cert.pem"], "--tls-key"),
        (&["--tls-key", "key.pem"], "--tls-cert"),
        (&["--tls-client-ca", "ca.pem"], "--tls-cert"),
        (&["--max-calls", "0"], "1..=1000000"),
        (&["--no-such-flag"], "unexpected argument"),
    ] {
        let refused = command().try_get_matches_from([&["serve"], flags].concat()).unwrap_err().to_string();
        assert!(refused.contains(sentence), "{flags:?}: {refused}");
    }
}

/// Runs the program to its end, with these variables set.
async fn run(flags: &[&str], variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_arbiter"));
    command.arg("serve").args(flags).envs(variables.iter().copied()).kill_on_drop(true);
    let output = crate::server::soon(command.output()).await.unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

/// Without TLS the service is reached from the same machine only, unless that is said to be meant.
#[tokio::test]
async fn an_open_address_without_tls_must_be_meant() {
    for address in ["0.0.0.0:0", "[::]:0"] {
        let (code, errors) = run(&["--listen", address], &[]).await;
        assert_eq!(code, Some(1));
        assert!(errors.contains("--insecure") && errors.contains("--tls-cert"), "{errors}");
    }
    let program = crate::program::Program::start(&["--listen", "0.0.0.0:0", "--insecure"]).await;
    assert!(program.address.ip().is_unspecified());
}

#[tokio::test]
async fn settings_come_from_the_environment_too() {
    let (code, errors) = run(&[], &[("ARBITER_LISTEN", "0.0.0.0:0")]).await;
    assert!(code == Some(1) && errors.contains("0.0.0.0:0"), "{errors}");
    let (code, errors) = run(&[], &[("ARBITER_QUEUE", "none")]).await;
    assert!(code == Some(2) && errors.contains("--queue"), "{errors}");
    // What is given as a flag holds.
    let (code, errors) = run(&["--queue", "0"], &[("ARBITER_QUEUE", "5")]).await;
    assert!(code == Some(2) && errors.contains("--queue"), "{errors}");
    let (code, errors) = run(&["--tls-cert", "no-such-file", "--tls-key", "no-such-file"], &[]).await;
    assert!(code == Some(1) && errors.contains("cannot read no-such-file"), "{errors}");
}
