//! Asks a running service whether it is serving.

use std::net::SocketAddr;
use std::time::Duration;

use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::body::Body;
use tonic::codegen::http::{Request, StatusCode, header::HOST};
use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use super::Error;
use super::config::HealthcheckConfig;

/// How long the answer may take.
const LIMIT: Duration = Duration::from_secs(2);

/// Succeeds if the service says that it is serving.
pub async fn healthcheck(config: &HealthcheckConfig) -> Result<(), Error> {
    let answer = async {
        match config.admin() {
            Some(address) => readyz(address).await,
            None => health(config.calls()).await,
        }
    };
    timeout(LIMIT, answer).await.map_err(|_| format!("no answer within {} s", LIMIT.as_secs()))?
}

/// Asks the gRPC health service.
async fn health(address: SocketAddr) -> Result<(), Error> {
    let channel = Endpoint::from_shared(format!("http://{address}"))?
        .connect()
        .await
        .map_err(|error| format!("cannot reach {address}: {error}"))?;
    let answer = HealthClient::new(channel).check(HealthCheckRequest::default()).await?;
    match answer.into_inner().status() {
        ServingStatus::Serving => Ok(()),
        status @ (ServingStatus::NotServing | ServingStatus::Unknown | ServingStatus::ServiceUnknown) => {
            Err(format!("the service says {}", status.as_str_name()).into())
        }
    }
}

/// Asks the admin port.
async fn readyz(address: SocketAddr) -> Result<(), Error> {
    let stream =
        TcpStream::connect(address).await.map_err(|error| format!("cannot reach {address}: {error}"))?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    let connection = tokio::spawn(connection);
    let request = Request::get("/readyz").header(HOST, address.to_string()).body(Body::empty())?;
    let answer = sender.send_request(request).await?;
    connection.abort();
    match answer.status() {
        StatusCode::OK => Ok(()),
        status => Err(format!("the service says {status}").into()),
    }
}
