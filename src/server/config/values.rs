//! The values of settings that are more than a number or a text.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;
use std::time::Duration;

use tonic::codegen::http::{HeaderValue, Uri};

/// Reads a time of so many seconds.
pub(super) fn seconds(
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    move |text| {
        let count: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
        if !(least..=most).contains(&count) {
            return Err(format!("not within {least} to {most} seconds"));
        }
        Duration::try_from_secs_f64(count).map_err(|error| error.to_string())
    }
}

/// Reads a time of so many seconds, or 0 for none.
pub(super) fn seconds_or_none(
    least: f64,
    most: f64,
) -> impl Fn(&str) -> Result<Duration, String> + Clone + Send + Sync + 'static {
    let seconds = seconds(least, most);
    move |text| if text.parse() == Ok(0.0) { Ok(Duration::ZERO) } else { seconds(text) }
}

/// An address to reach a service at that listens on this one.
pub(super) fn loopback_for_any(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V4(ip) => ip.into(),
        IpAddr::V6(ip) => ip.into(),
    };
    SocketAddr::new(ip, address.port())
}

/// Pages that may call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Origin {
    /// All pages.
    Any,
    /// The pages of one origin, as a browser names it.
    One(HeaderValue),
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "*" {
            return Ok(Self::Any);
        }
        let form = "not an origin: it is written scheme://host or scheme://host:port, without a path";
        let uri: Uri = text.parse().map_err(|_| form.to_owned())?;
        match (uri.scheme_str(), uri.authority()) {
            // A browser sends neither a path nor capitals, so an origin with them would never match.
            (Some(scheme), Some(authority)) if text == format!("{scheme}://{authority}").to_lowercase() => {
                HeaderValue::from_str(text).map(Self::One).map_err(|_| form.to_owned())
            }
            _ => Err(form.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_numbers_within_their_range() {
        let read = seconds(0.5, 60.0);
        assert_eq!(read("0.5"), Ok(Duration::from_millis(500)));
        assert_eq!(read("60"), Ok(Duration::from_secs(60)));
        for text in ["", "0.4", "60.1", "-1", "NaN", "inf", "1s", "1e99"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_time_is_a_time_where_it_may_be() {
        let read = seconds_or_none(0.5, 60.0);
        assert_eq!((read("0"), read("0.5")), (Ok(Duration::ZERO), Ok(Duration::from_millis(500))));
        for text in ["", "0.4", "60.1", "-1"] {
            assert!(read(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_are_as_browsers_send_them() {
        assert_eq!("*".parse(), Ok(Origin::Any));
        for text in ["https://example.org", "http://localhost:8080", "http://[::1]:8080"] {
            assert_eq!(text.parse(), Ok(Origin::One(HeaderValue::from_static(text))), "{text}");
        }
        for text in [
            "",
            "example.org",
            "https://example.org/",
            "https://example.org/a",
            "https://Example.org",
            "null",
        ] {
            assert!(text.parse::<Origin>().is_err(), "{text}");
        }
    }
}
