//! Logs, and traces where they are built in.

#[cfg(feature = "otlp")]
pub(super) mod otlp;

use std::io::IsTerminal;

use tracing::{Subscriber, error};
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::layer::{Layer, SubscriberExt};
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, registry};

use super::Error;
use super::config::LogFormat;

/// A layer of any kind.
type AnyLayer<S> = Box<dyn Layer<S> + Send + Sync>;

/// What is to be sent before the process ends is sent when this goes.
#[derive(Debug)]
pub struct Telemetry {
    #[cfg(feature = "otlp")]
    _traces: Option<otlp::Traces>,
}

/// Begins to write logs to standard error, and to send traces where they are built in and the environment says where to.
///
/// A filter that is one level is that of the service; of the libraries below it only warnings are written then.
pub fn init(filter: &str, format: LogFormat) -> Result<Telemetry, Error> {
    let directives = match filter.parse::<LevelFilter>() {
        Ok(level) => format!("warn,arbiter={level}"),
        Err(_) => filter.to_owned(),
    };
    // A panic is a line of the log like any other, so that whatever reads the log can read it.
    std::panic::set_hook(Box::new(|panic| error!(%panic, "a panic")));
    let logs = lines(format).with_filter(EnvFilter::try_new(directives)?);
    #[cfg(feature = "otlp")]
    {
        let (layer, traces) = otlp::layer()?.unzip();
        registry().with(logs).with(layer).try_init()?;
        Ok(Telemetry { _traces: traces })
    }
    #[cfg(not(feature = "otlp"))]
    {
        registry().with(logs).try_init()?;
        Ok(Telemetry {})
    }
}

/// What writes the lines of the log.
fn lines<S: Subscriber + for<'a> LookupSpan<'a>>(format: LogFormat) -> AnyLayer<S> {
    let lines = fmt::layer().with_writer(std::io::stderr).with_ansi(std::io::stderr().is_terminal());
    match format {
        LogFormat::Text => lines.boxed(),
        LogFormat::Json => lines.json().boxed(),
    }
}
