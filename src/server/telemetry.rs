//! Logs.

use std::io::IsTerminal;

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::fmt;
use tracing_subscriber::util::SubscriberInitExt;

use super::Error;
use super::config::LogFormat;

/// Begins to write logs to standard error.
///
/// A filter that is one level is that of the service; of the libraries below it only warnings are written then.
pub fn init(filter: &str, format: LogFormat) -> Result<(), Error> {
    let directives = match filter.parse::<LevelFilter>() {
        Ok(level) => format!("warn,arbiter={level}"),
        Err(_) => filter.to_owned(),
    };
    let filter = EnvFilter::try_new(directives)?;
    let in_colour = std::io::stderr().is_terminal();
    let builder = fmt().with_env_filter(filter).with_writer(std::io::stderr).with_ansi(in_colour);
    match format {
        LogFormat::Text => builder.finish().try_init()?,
        LogFormat::Json => builder.json().finish().try_init()?,
    }
    Ok(())
}
