//! What the program prints.

use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::options::Options;
use crate::tally::{Latencies, OfKind, Tally};

/// The quantiles that are reported.
const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99), ("p99_9", 0.999)];

/// Prints the results as asked for.
#[expect(clippy::print_stdout, reason = "this is the output of the program")]
pub(crate) fn print(options: &Options, results: &Tally) {
    if options.human {
        print!("{}", human(options, results));
    } else {
        println!("{:#}", json(options, results));
    }
}

/// Says what went wrong.
#[expect(clippy::print_stderr, reason = "this is where a command line says what went wrong")]
pub(crate) fn complain(line: &str) {
    eprintln!("error: {line}");
}

fn json(options: &Options, results: &Tally) -> Value {
    let seconds = results.seconds();
    let kinds: serde_json::Map<String, Value> = options
        .calls
        .iter()
        .zip(&results.kinds)
        .map(|(call, of_kind)| (call.kind.name.clone(), json_of_kind(of_kind, seconds)))
        .collect();
    let targets: Vec<Value> = options
        .targets
        .iter()
        .zip(&results.targets)
        .map(|(target, codes)| json!({"target": target, "attempts": codes}))
        .collect();
    let failures: Vec<Value> = results
        .failures
        .iter()
        .map(|failure| {
            json!({
                "kind": options.calls[failure.kind].kind.name,
                "began": unix(failure.began),
                "ended": unix(failure.ended),
                "code": failure.code,
                "answer_had_begun": failure.is_committed,
                "target": failure.target.map(|target| &options.targets[target]),
                "message": failure.message,
            })
        })
        .collect();
    json!({
        "seconds": seconds,
        "rate": options.rate,
        "concurrency": options.concurrency,
        "retry": options.retry,
        "lag_ms": json_of_latencies(&results.lag),
        "watched_processor_seconds": results.watched.map(|time| time.as_secs_f64()),
        "kinds": kinds,
        "targets": targets,
        "failures": failures,
    })
}

fn json_of_kind(of_kind: &OfKind, seconds: f64) -> Value {
    json!({
        "calls": of_kind.calls,
        "attempts": of_kind.attempts,
        "unseen": of_kind.unseen,
        "ok": of_kind.good_calls(),
        "goodput": of_kind.good_in_time as f64 / seconds,
        "codes": of_kind.codes,
        "reasons": of_kind.reasons,
        "with_retry_info": of_kind.with_retry_info,
        "ok_ms": json_of_latencies(&of_kind.good),
        "refused_ms": json_of_latencies(&of_kind.refused),
        "failed_ms": json_of_latencies(&of_kind.failed),
    })
}

/// Null if there are none.
fn json_of_latencies(latencies: &Latencies) -> Value {
    if latencies.is_empty() {
        return Value::Null;
    }
    let mut quantiles: serde_json::Map<String, Value> = QUANTILES
        .iter()
        .map(|(name, quantile)| ((*name).to_owned(), millis(latencies.value_at_quantile(*quantile)).into()))
        .collect();
    quantiles.insert("max".to_owned(), millis(latencies.max()).into());
    quantiles.into()
}

fn millis(micros: u64) -> f64 {
    micros as f64 / 1_000.0
}

fn unix(time: SystemTime) -> f64 {
    time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs_f64()
}

fn human(options: &Options, results: &Tally) -> String {
    let mut text = String::new();
    for (call, of_kind) in options.calls.iter().zip(&results.kinds) {
        text += &format!(
            "{}: {} calls, {:.1} good a second\n",
            call.kind.name,
            of_kind.calls,
            of_kind.good_in_time as f64 / results.seconds()
        );
        for (code, count) in &of_kind.codes {
            text += &format!("  {code:<20} {count}\n");
        }
        for (what, latencies) in
            [("ok", &of_kind.good), ("refused", &of_kind.refused), ("failed", &of_kind.failed)]
        {
            text += &human_latencies(what, latencies);
        }
    }
    text + &human_latencies("the lag of this program", &results.lag)
}

/// A line, or nothing if there are none.
fn human_latencies(what: &str, latencies: &Latencies) -> String {
    if latencies.is_empty() {
        return String::new();
    }
    let quantiles: String = QUANTILES
        .iter()
        .map(|(name, quantile)| {
            format!("{} {:.2}, ", name.replace('_', "."), millis(latencies.value_at_quantile(*quantile)))
        })
        .collect();
    format!("  {what}, ms: {quantiles}max {:.2}\n", millis(latencies.max()))
}
