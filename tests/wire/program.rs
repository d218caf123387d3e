//! The program itself, as an operator runs it.

use std::net::SocketAddr;
use std::process::{ExitStatus, Stdio};

use serde_json::Value;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStderr, Command};

use crate::server::soon;

/// The program, serving.
pub struct Program {
    child: Child,
    log: Lines<BufReader<ChildStderr>>,
    pub address: SocketAddr,
    pub admin: SocketAddr,
}

impl Program {
    /// Starts it with an admin port, logs in JSON, and these flags.
    pub async fn start(flags: &[&str]) -> Self {
        Self::of(Command::new(env!("CARGO_BIN_EXE_arbiter")).args(arguments(flags))).await
    }

    /// Starts it with these environment variables set.
    #[cfg_attr(not(feature = "otlp"), expect(dead_code, reason = "only traces are set up so"))]
    pub async fn with_variables(flags: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arbiter"));
        Self::of(command.args(arguments(flags)).envs(variables.iter().copied())).await
    }

    /// Starts it in a shell that has first done something else.
    pub async fn after(command: &str, flags: &[&str]) -> Self {
        let script = format!("{command} && exec \"$0\" \"$@\"");
        Self::of(
            Command::new("sh").args(["-c", &script, env!("CARGO_BIN_EXE_arbiter")]).args(arguments(flags)),
        )
        .await
    }

    async fn of(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).kill_on_drop(true).spawn().unwrap();
        let mut log = BufReader::new(child.stderr.take().unwrap()).lines();
        let mut addresses = Vec::new();
        while addresses.len() < 2 {
            let line = soon(log.next_line()).await.unwrap().expect("the program says where it serves");
            let line: Value = serde_json::from_str(&line).unwrap();
            if let Some(address) = line["fields"]["address"].as_str() {
                addresses.push(address.parse().unwrap());
            }
        }
        Self { child, log, address: addresses[0], admin: addresses[1] }
    }

    pub fn id(&self) -> u32 {
        self.child.id().expect("the program runs")
    }

    pub async fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.id().to_string()]).status().await.unwrap();
        assert!(sent.success());
    }

    /// How it ends, and what it still writes.
    pub async fn ended(mut self) -> (ExitStatus, Vec<String>) {
        let mut lines = Vec::new();
        while let Some(line) = soon(self.log.next_line()).await.unwrap() {
            lines.push(line);
        }
        (soon(self.child.wait()).await.unwrap(), lines)
    }

    /// The processor time that it has taken so far, in seconds.
    pub fn processor_seconds(&self) -> f64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id())).unwrap();
        // The name in brackets may hold spaces; what follows does not. User and system time are fields 14 and 15.
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        ticks as f64 / 100.0
    }
}

fn arguments<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    let first = ["serve", "--admin-listen", "127.0.0.1:0", "--log-format", "json"];
    let listen: &[&str] = if flags.contains(&"--listen") { &[] } else { &["--listen", "127.0.0.1:0"] };
    [&first, listen, flags].concat()
}
