//! Work that is given up: callers who leave, deadlines, and more work than there is room for.

use std::fmt::{self, Debug, Formatter};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arbiter::grpc::{Deadlines, Memory, Pool, PoolJob, Referee, WorkLimits, v1};
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use prost::Message;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_stream::wrappers::TcpListenerStream;
use tonic::Code;
use tonic::transport::Server;
use tonic_types::StatusExt;

use crate::ask::{self, Refusal};
use crate::data;
use crate::raw::{Raw, frame, next_data, path};
use crate::server::{self, Client, Own};

/// A test whose server hangs ends with this.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server with one thread for heavy work is given far more of it than it takes: what is too much is refused at once
/// with a time to wait, and what its callers have left is not done.
#[tokio::test]
async fn a_busy_server_says_so_and_forgets_the_work_of_callers_who_left() {
    let own = Own::start(&["--workers", "1"]).await;
    let heavy = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    let client = Client::new(server::channel(own.address).await);
    let mut calls: FuturesUnordered<_> = (0..400)
        .map(|_| {
            let (mut client, request) = (client.clone(), heavy.clone());
            async move { client.replay_game(request).await }
        })
        .collect();
    let refusal = loop {
        let answer = timeout(PATIENCE, calls.next()).await.expect("a busy server answers at once");
        if let Err(status) = answer.unwrap() {
            break Refusal::read(&status);
        }
    };
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::ResourceExhausted, "BUSY"));
    let wait = refusal.retry.expect("a busy server says how long to wait");
    assert!(!wait.is_zero() && refusal.violations.is_empty());
    // Light work goes on meanwhile.
    let mut other = Client::new(server::channel(own.address).await);
    assert!(!ask::move_texts_of_page(&mut other, &ask::initial("chess")).await.is_empty());
    drop(calls);
    let answer = timeout(PATIENCE, async {
        loop {
            match other.replay_game(heavy.clone()).await {
                Ok(answer) => return answer.into_inner(),
                Err(status) => assert_eq!(Refusal::read(&status).reason, "BUSY"),
            }
            sleep(wait).await;
        }
    });
    assert!(answer.await.expect("the work that was left is not done").legal);
    drop((client, other));
    own.stop().await;
}

/// A pool of a test's own with one thread, which counts its jobs.
#[derive(Debug)]
struct Counting {
    jobs: AtomicUsize,
    does: Does,
    kept: Mutex<Vec<Kept>>,
}

/// A job that waits for ever.
struct Kept(PoolJob);

impl Debug for Kept {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        formatter.write_str("a job")
    }
}

/// What a pool does with jobs.
#[derive(PartialEq, Debug)]
enum Does {
    All,
    /// It never comes to them.
    Nothing,
    /// It takes jobs and loses them, as one does whose thread breaks down.
    Lose,
}

impl Pool for Counting {
    fn threads(&self) -> usize {
        1
    }

    fn spawn(&self, job: PoolJob) {
        self.jobs.fetch_add(1, Ordering::SeqCst);
        match self.does {
            Does::All => drop(std::thread::spawn(job)),
            Does::Nothing => self.kept.lock().unwrap().push(Kept(job)),
            Does::Lose => drop(job),
        }
    }
}

/// Limits that no test of something else meets.
fn wide() -> WorkLimits {
    WorkLimits { queue: 100, list_share: 100, memory: Memory::new(1 << 30) }
}

impl Counting {
    /// The address of a server with such a pool.
    async fn serve(does: Does, limits: WorkLimits) -> (Arc<Self>, SocketAddr) {
        let pool = Arc::new(Self { jobs: AtomicUsize::new(0), does, kept: Mutex::default() });
        let deadlines = Deadlines { default: PATIENCE, latest: PATIENCE };
        let service = Referee::new(Arc::<Self>::clone(&pool), &limits).into_service(deadlines, 1 << 22);
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let incoming = TcpListenerStream::new(listener);
        tokio::spawn(Server::builder().add_service(service).serve_with_incoming(incoming));
        (pool, address)
    }

    /// Waits until it has been given so many jobs.
    async fn has_been_given(&self, jobs: usize) {
        timeout(PATIENCE, async {
            while self.jobs.load(Ordering::SeqCst) < jobs {
                sleep(Duration::from_millis(1)).await;
            }
        })
        .await
        .unwrap();
    }
}

/// The batches that fit into what the server holds for a client that does not read; far less in truth.
const MOST_HELD: usize = (1 << 20) / (48 << 10);

/// A stream makes no batch that nobody takes: few before its client has read, and none after it has left.
#[tokio::test]
async fn a_stream_stops_when_its_client_goes_away() {
    let (pool, address) = Counting::serve(Does::All, wide()).await;
    let mut client = Client::new(server::channel(address).await);
    let made = || pool.jobs.load(Ordering::SeqCst);
    for row in data::largest(&ask::variants(&mut client).await) {
        let request = v1::StreamLegalMovesRequest { position: Some(row.position), ..Default::default() };
        let before = made();
        let all = ask::streamed(&mut client, request.clone()).await;
        assert_eq!(all.len() as u64, row.count);
        let batches = made() - before;
        let before = made();
        let raw = Raw::with_window(address, 1_000).await;
        let body = frame(&request.encode_to_vec());
        let (response, sender) = raw.open(&path("StreamLegalMoves"), &[], vec![body], true).await.unwrap();
        let mut body = response.await.unwrap().into_body();
        next_data(&mut body).await.unwrap().unwrap();
        drop((body, sender));
        // The same connection answers, so the server knows by now that the stream was broken off. A batch may have
        // been under way.
        let answer = raw.ask("ListVariants", &v1::ListVariantsRequest {}).await;
        assert_eq!(answer.status().code(), Code::Ok);
        let then = made() - before;
        assert!(then <= batches.min(MOST_HELD), "{then} batches of {batches} were made");
        sleep(Duration::from_millis(100)).await;
        let later = made() - before;
        assert!(later <= then + 1, "{later} batches, {then} of them before the client left");
    }
}

/// A game that is replayed on the pool.
fn heavy_replay(position: &v1::Position) -> v1::ReplayGameRequest {
    let moves = vec!["e2e4".to_owned(); 1_000];
    v1::ReplayGameRequest { position: Some(position.clone()), moves, ..Default::default() }
}

/// A list that is made on the pool.
fn heavy_list() -> v1::LegalMovesRequest {
    v1::LegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() }
}

/// A refusal for want of room, with the time to wait.
fn assert_busy(refusal: &Refusal) {
    assert_eq!((refusal.code, refusal.reason.as_str()), (Code::ResourceExhausted, "BUSY"));
    assert!(refusal.retry.is_some_and(|wait| !wait.is_zero()));
}

#[tokio::test]
async fn a_full_queue_refuses_heavy_work_and_no_light_work() {
    let (pool, address) = Counting::serve(Does::Nothing, WorkLimits { queue: 1, ..wide() }).await;
    let mut client = Client::new(server::channel(address).await);
    // One on the thread and one in the queue.
    for jobs in [1, 2] {
        let mut other = client.clone();
        tokio::spawn(async move { other.replay_game(heavy_replay(&ask::initial("chess"))).await });
        pool.has_been_given(jobs).await;
    }
    for variant in ask::variants(&mut client).await {
        let position = ask::initial(&variant.id);
        assert_busy(&ask::refused(client.replay_game(heavy_replay(&position)).await));
        assert_eq!(ask::status(&mut client, &position).await.state(), v1::State::Ongoing);
        assert!(!ask::move_texts_of_page(&mut client, &position).await.is_empty());
    }
    assert_busy(&ask::refused(client.legal_moves(heavy_list()).await));
}

/// Lists leave a part of the queue to verdicts.
#[tokio::test]
async fn lists_take_their_share_of_the_queue_and_no_more() {
    let limits = WorkLimits { queue: 3, list_share: 50, ..wide() };
    let (pool, address) = Counting::serve(Does::Nothing, limits).await;
    let mut client = Client::new(server::channel(address).await);
    for jobs in [1, 2] {
        let mut other = client.clone();
        tokio::spawn(async move { other.legal_moves(heavy_list()).await });
        pool.has_been_given(jobs).await;
    }
    assert_busy(&ask::refused(client.legal_moves(heavy_list()).await));
    for jobs in [3, 4] {
        let mut other = client.clone();
        tokio::spawn(async move { other.replay_game(heavy_replay(&ask::initial("chess"))).await });
        pool.has_been_given(jobs).await;
    }
    assert_busy(&ask::refused(client.replay_game(heavy_replay(&ask::initial("chess"))).await));
}

/// A place that was given back is there for others: also that of a call whose caller left.
#[tokio::test]
async fn work_gives_its_place_back() {
    let (pool, address) = Counting::serve(Does::Nothing, WorkLimits { queue: 0, ..wide() }).await;
    let mut client = Client::new(server::channel(address).await);
    let mut other = client.clone();
    let left = tokio::spawn(async move { other.legal_moves(heavy_list()).await });
    pool.has_been_given(1).await;
    left.abort();
    assert_busy(&ask::refused(client.legal_moves(heavy_list()).await));
    let Kept(job) = pool.kept.lock().unwrap().pop().unwrap();
    job();
    let mut other = client.clone();
    let taken = tokio::spawn(async move { other.legal_moves(heavy_list()).await });
    pool.has_been_given(2).await;
    let Kept(job) = pool.kept.lock().unwrap().pop().unwrap();
    job();
    assert!(!taken.await.unwrap().unwrap().into_inner().moves.is_empty());
}

/// Streams are refused when their memory is held by others, and have it again when those have ended.
#[tokio::test]
async fn streams_share_a_bounded_memory() {
    let memory = Memory::new(256 << 10);
    let limits = WorkLimits { memory: memory.clone(), ..wide() };
    let (_, address) = Counting::serve(Does::Nothing, limits).await;
    let mut client = Client::new(server::channel(address).await);
    let request =
        v1::StreamLegalMovesRequest { position: Some(ask::initial("bordahbee")), ..Default::default() };
    let mut open = Vec::new();
    let refusal = loop {
        match client.stream_legal_moves(request.clone()).await {
            Ok(stream) => open.push(stream),
            Err(status) => break Refusal::read(&status),
        }
        assert!(open.len() < 10, "nothing bounds the streams");
    };
    assert_busy(&refusal);
    assert!(open.len() >= 3, "{}", open.len());
    assert_busy(&ask::refused(client.legal_moves(heavy_list()).await));
    drop(open);
    timeout(PATIENCE, async {
        while memory.held() > 0 {
            sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .unwrap();
    assert!(client.stream_legal_moves(request).await.is_ok());
}

/// Work that ends without a result is a defect, is told as such, and takes nothing else with it.
#[tokio::test]
async fn a_lost_job_is_a_defect_of_the_service() {
    let (_, address) = Counting::serve(Does::Lose, wide()).await;
    let mut client = Client::new(server::channel(address).await);
    let position = ask::initial("chess");
    let status = client.replay_game(heavy_replay(&position)).await.unwrap_err();
    assert_eq!(status.code(), Code::Internal);
    assert_eq!(status.get_details_error_info().unwrap().reason, "INTERNAL");
    let request = v1::StreamLegalMovesRequest { position: Some(position.clone()), ..Default::default() };
    let mut stream = client.stream_legal_moves(request).await.unwrap().into_inner();
    assert_eq!(stream.message().await.unwrap_err().code(), Code::Internal);
    assert_eq!(ask::status(&mut client, &position).await.state(), v1::State::Ongoing);
}

/// The deadline of a call ends it with that code, and no other, whatever the work.
#[tokio::test]
async fn a_deadline_that_passes_is_told_as_such() {
    let raw = Raw::connect(server::shared()).await;
    let replay = v1::ReplayGameRequest {
        position: Some(ask::initial("chess")),
        moves: data::long_game("chess", 1_500),
        ..Default::default()
    };
    for limit in ["1n", "1u", "999u", "1m", "2m", "5m", "20m"] {
        let headers = [("grpc-timeout", limit)];
        for _ in 0..10 {
            let body = frame(&replay.encode_to_vec());
            let answer = raw.call(&path("ReplayGame"), &headers, body).await;
            // A fast server may be done before the longer ones.
            let may_be_done = !matches!(limit, "1n" | "1u" | "999u");
            if answer.status().code() != Code::Ok || !may_be_done {
                let refusal = Refusal::read(&answer.status());
                let wanted = (Code::DeadlineExceeded, "DEADLINE_EXCEEDED");
                assert_eq!((refusal.code, refusal.reason.as_str()), wanted, "{limit}");
            }
        }
    }
    // A request that does not come to its end is not waited for.
    let (response, _sender) =
        raw.open(&path("GameStatus"), &[("grpc-timeout", "20m")], vec![], false).await.unwrap();
    let response = timeout(PATIENCE, response).await.unwrap().unwrap();
    let status = tonic::Status::from_header_map(response.headers()).unwrap();
    assert_eq!(Refusal::read(&status).reason, "DEADLINE_EXCEEDED");
    // One that is far away changes nothing.
    for limit in ["100S", "99999999H", "99999999M"] {
        let request = v1::GameStatusRequest { position: Some(ask::initial("chess")) };
        let body = frame(&request.encode_to_vec());
        let answer = raw.call(&path("GameStatus"), &[("grpc-timeout", limit)], body).await;
        assert_eq!(answer.status().code(), Code::Ok, "{limit}");
    }
}

/// A stream ends whole or with that code.
#[tokio::test]
async fn a_deadline_covers_a_stream_to_its_end() {
    let mut client = server::client().await;
    let raw = Raw::connect(server::shared()).await;
    for row in data::largest(&ask::variants(&mut client).await) {
        let request = v1::StreamLegalMovesRequest { position: Some(row.position), ..Default::default() };
        for limit in ["1u", "1m", "3m", "8m", "20m"] {
            let body = frame(&request.encode_to_vec());
            let answer = raw.call(&path("StreamLegalMoves"), &[("grpc-timeout", limit)], body).await;
            let status = answer.status();
            if status.code() != Code::Ok {
                assert_eq!(Refusal::read(&status).reason, "DEADLINE_EXCEEDED", "{limit}");
            }
            if limit == "1u" {
                assert_ne!(status.code(), Code::Ok);
            }
        }
    }
}
