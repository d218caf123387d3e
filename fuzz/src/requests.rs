//! Requests to all methods. Input: a byte for the method and how to read the rest: `0` to `7` the bytes of a message,
//! the next eight the bytes of an HTTP body, with the frames of gRPC in it, eight more those of a part of a large message.

use arbiter::grpc::v1;
use arbiter::rules::moves::Step;
use arbiter::rules::notation::{move_text, position_text};
use arbiter::rules::play::{self, Game};
use arbiter::rules::variant::Variant;
use arbiter::rules::{read_move, variants};
use prost::Message;
use tonic::Code;

use crate::service::{self, METHODS};

/// The most items of a page and moves of a replay in games with long lists, so that a call stays short.
const MOST_ITEMS: i32 = 8;
const MOST_MOVES: usize = 12;

/// The most bytes of a request, the moves of a replay left out.
const LARGE: usize = 16 << 10;

/// What an answer says is asked of other methods, too, for one input of so many, by its length.
const ASKS_AGAIN: usize = 4;

/// Calls a method, and holds the answer against the contract and the rules.
pub fn check(data: &[u8]) {
    let [kind, message @ ..] = data else { return };
    let kind = kind.wrapping_sub(b'0') % 24;
    let number = usize::from(kind % 8);
    if kind >= 16 {
        large(METHODS[number], message);
        return;
    }
    if kind >= 8 {
        // Frames are the same for all methods, so the body goes to one whose work is bounded.
        let number = [0, 1, 5, 6][number % 4];
        service::call(METHODS[number], message.to_vec());
        return;
    }
    let method = METHODS[number];
    match number {
        0 => unary(method, message, |_| (), variants_are_listed, |_, _| ()),
        1 => unary(method, message, |_| (), initial_position_is_sound, |_, _| ()),
        2 => unary(method, message, bound_moves, moves_are_legal, |_, _| ()),
        3 => stream(message),
        4 => unary(method, message, bound_steps, steps_go_on, offered_step_begins),
        5 => unary(method, message, |_| (), move_is_judged, played_move_is_known),
        6 => unary(method, message, |_| (), status_is_right, |_, _| ()),
        _ => unary(method, message, bound_replay, game_is_replayed, game_is_replayed_again),
    }
}

/// Calls a method with more than it takes, unless it is moves to replay: messages one after the other are one message.
fn large(method: &str, part: &[u8]) {
    if part.is_empty() {
        return;
    }
    let answer = service::ask(method, &part.repeat(LARGE / part.len() + 1));
    let is_refused = matches!(&*service::reason(&answer.status), "REQUEST_TOO_LARGE" | "UNDECODABLE_REQUEST");
    assert!(is_refused || method == "ReplayGame", "{method}: {:?}", answer.status);
}

/// The message with its work bounded; none where it is no message of the type.
fn bounded<Q: Message + Default + Clone + PartialEq>(
    message: &[u8],
    bound: fn(&mut Q),
) -> (Vec<u8>, Option<Q>) {
    let Ok(request) = Q::decode(message) else { return (message.to_vec(), None) };
    let mut less = request.clone();
    bound(&mut less);
    // Bytes of which nothing must be changed go as they came.
    let bytes = if less == request { message.to_vec() } else { less.encode_to_vec() };
    (bytes, Some(less))
}

/// What holds of an answer to a request.
type Law<Q, A> = fn(&Q, &A);

fn unary<Q, A>(method: &str, message: &[u8], bound: fn(&mut Q), law: Law<Q, A>, again: Law<Q, A>)
where
    Q: Message + Default + Clone + PartialEq,
    A: Message + Default,
{
    let (bytes, request) = bounded(message, bound);
    let answer = service::ask(method, &bytes);
    let is_undecodable = service::reason(&answer.status) == "UNDECODABLE_REQUEST";
    assert_eq!(is_undecodable, request.is_none(), "{method}: {:?}", answer.status);
    let Some(request) = request else { return };
    if answer.status.code() == Code::Ok {
        assert_eq!(answer.messages.len(), 1, "{method}");
        let answer = decoded(&answer.messages[0]);
        law(&request, &answer);
        if message.len().is_multiple_of(ASKS_AGAIN) {
            again(&request, &answer);
        }
    } else {
        assert!(answer.messages.is_empty(), "{method}");
    }
}

fn decoded<A: Message + Default>(message: &[u8]) -> A {
    A::decode(message).expect("a response is of its type")
}

/// Asks a method that answers, and gives the answer.
pub fn answered<A: Message + Default>(method: &str, request: &impl Message) -> Option<A> {
    let answer = service::ask(method, &request.encode_to_vec());
    answer.messages.first().map(|message| decoded(message))
}

/// The game of a position that is given by its text. What is given otherwise the laws leave to the form of answers.
pub fn asked(position: Option<&v1::Position>) -> Option<(&'static dyn Variant, Game)> {
    let message = position.filter(|message| !message.fen.is_empty())?;
    let variant = variants::find(&message.variant)?;
    let position = position_text::parse(variant, &message.fen).ok()?;
    let (keys, _) = message.history.as_chunks::<8>();
    let history = keys.iter().map(|key| u64::from_be_bytes(*key)).collect();
    Some((variant, Game { position, history }))
}

/// Whether the lists of the game asked about are short, as its moves have one step.
fn is_short(position: Option<&v1::Position>) -> bool {
    let variant = position.and_then(|position| variants::find(&position.variant));
    variant.is_none_or(|variant| variant.card().max_steps == 1)
}

fn bound_page(page_size: &mut i32, position: Option<&v1::Position>) {
    if !is_short(position) && (*page_size == 0 || *page_size > MOST_ITEMS) {
        *page_size = 1 + *page_size % MOST_ITEMS;
    }
}

fn bound_moves(request: &mut v1::LegalMovesRequest) {
    bound_page(&mut request.page_size, request.position.as_ref());
    // A count looks at all moves, which are few where one piece begins them.
    let is_narrow = request.filter.as_ref().is_some_and(|filter| !filter.from_square.is_empty());
    if !is_short(request.position.as_ref()) && !is_narrow {
        request.include_total = false;
        if request.move_view() == v1::MoveView::Count {
            request.move_view = v1::MoveView::Text.into();
        }
    }
}

/// A batch costs what it looks through: little where it is full of moves soon, as in the full view without a search for
/// positions that were had.
fn bound_stream(request: &mut v1::StreamLegalMovesRequest) {
    let is_narrow = request.filter.as_ref().is_some_and(|filter| !filter.from_square.is_empty());
    if !is_short(request.position.as_ref()) && !is_narrow {
        request.distinct_positions = false;
        if request.move_view() == v1::MoveView::Text {
            request.move_view = v1::MoveView::Full.into();
        }
    }
}

fn bound_steps(request: &mut v1::LegalStepsRequest) {
    bound_page(&mut request.page_size, request.position.as_ref());
}

fn bound_replay(request: &mut v1::ReplayGameRequest) {
    request.moves.truncate(MOST_MOVES);
}

fn variants_are_listed(_: &v1::ListVariantsRequest, answer: &v1::ListVariantsResponse) {
    assert_eq!(answer.variants.len(), variants::ALL.len());
}

fn initial_position_is_sound(
    request: &v1::GetInitialPositionRequest,
    answer: &v1::GetInitialPositionResponse,
) {
    let (variant, game) = asked(answer.position.as_ref()).expect("a position by its text");
    assert_eq!(variant.card().id, request.variant);
    assert!(game.history.is_empty());
    assert!(play::outcome(variant, &game).is_none(), "{answer:?}");
}

/// The moves of a list as steps, each by its text.
fn steps_of(variant: &dyn Variant, moves: &[v1::Move]) -> Vec<Vec<Step>> {
    let read = |listed: &v1::Move| move_text::parse(variant.card(), &listed.text);
    moves.iter().map(|listed| read(listed).unwrap_or_else(|why| panic!("{listed:?}: {why}"))).collect()
}

/// Moves of a list rise, and the last of them is legal.
pub fn assert_listed(variant: &dyn Variant, game: &Game, moves: &[v1::Move]) -> Vec<Vec<Step>> {
    let listed = steps_of(variant, moves);
    assert!(listed.is_sorted_by(|one, next| one < next), "{moves:?}");
    if let Some(steps) = listed.last() {
        let judged = play::judge(variant, game, steps);
        assert!(judged.is_ok(), "{moves:?}: {judged:?}");
    }
    listed
}

fn moves_are_legal(request: &v1::LegalMovesRequest, answer: &v1::LegalMovesResponse) {
    let v1::LegalMovesResponse { moves, next_page_token, total_size } = answer;
    let most = if request.page_size == 0 { 1_000 } else { request.page_size as usize };
    assert!(moves.len() <= most, "{} moves of {most}", moves.len());
    assert!(next_page_token.is_empty() || !moves.is_empty(), "a page that leads nowhere");
    if request.include_total {
        assert!(
            *total_size >= moves.len() as u64,
            "{total_size} moves in all, and a page of {}",
            moves.len()
        );
    }
    if let Some((variant, game)) = asked(request.position.as_ref()) {
        assert_listed(variant, &game, moves);
    }
}

/// Batches have moves, and rise.
fn stream(message: &[u8]) {
    let (bytes, request) = bounded(message, bound_stream);
    let answer = service::ask("StreamLegalMoves", &bytes);
    let is_undecodable = service::reason(&answer.status) == "UNDECODABLE_REQUEST";
    assert_eq!(is_undecodable, request.is_none(), "{:?}", answer.status);
    let mut moves = Vec::new();
    for message in &answer.messages {
        let batch: v1::StreamLegalMovesResponse = decoded(message);
        assert!(!batch.moves.is_empty(), "a batch without moves");
        moves.extend(batch.moves);
    }
    let asked = request.and_then(|request| asked(request.position.as_ref()));
    if let Some((variant, game)) = asked {
        assert_listed(variant, &game, &moves);
    }
}

fn assert_illegality(illegality: Option<&v1::Illegality>) {
    let illegality = illegality.expect("an illegal move has a reason");
    assert_ne!(illegality.reason(), v1::IllegalReason::Unspecified);
    assert!(!illegality.message.is_empty(), "{illegality:?}");
    assert!(v1::IllegalReason::try_from(illegality.reason).is_ok(), "{illegality:?}");
    assert!(illegality.squares.iter().all(|at| !at.square.is_empty()), "{illegality:?}");
}

fn steps_go_on(request: &v1::LegalStepsRequest, answer: &v1::LegalStepsResponse) {
    let v1::LegalStepsResponse { steps, legal, complete, illegality, changes, next_page_token } = answer;
    if !legal {
        assert_illegality(illegality.as_ref());
        assert!(!complete && steps.is_empty() && changes.is_empty() && next_page_token.is_empty());
        return;
    }
    assert!(illegality.is_none());
    assert_eq!(changes.is_empty(), request.prefix.is_empty(), "{changes:?}");
    // Asked without a filter and from the first page on, a beginning that is no move yet goes on.
    if request.filter.is_none() && request.page_token.is_empty() {
        assert!(*complete || !steps.is_empty(), "a dead end");
    }
}

/// Some legal move begins with a step that is offered.
fn offered_step_begins(request: &v1::LegalStepsRequest, answer: &v1::LegalStepsResponse) {
    if let Some(step) = answer.steps.last() {
        let prefix = request.prefix.iter().chain([step]).cloned().collect();
        let next = v1::LegalStepsRequest { prefix, page_size: 1, ..request.clone() };
        let next = v1::LegalStepsRequest { page_token: String::new(), filter: None, ..next };
        let next: v1::LegalStepsResponse = answered("LegalSteps", &next).expect("a step that was offered");
        assert!(next.legal, "{step:?} is offered: {next:?}");
    }
}

fn move_is_judged(request: &v1::ApplyMoveRequest, answer: &v1::ApplyMoveResponse) {
    let v1::ApplyMoveResponse { legal, position, status, changes, r#move, illegality } = answer;
    if let (Some((variant, game)), Some(chosen)) = (asked(request.position.as_ref()), &request.r#move)
        && !chosen.text.is_empty()
    {
        let judged = read_move(variant, &game, &chosen.text).map(|steps| play::apply(variant, &game, &steps));
        let after = judged.ok().and_then(Result::ok);
        let after = after.map(|applied| position_text::print(variant, &applied.game.position));
        assert_eq!(after.as_ref(), position.as_ref().map(|position| &position.fen), "{chosen:?}");
    }
    if !legal {
        assert_illegality(illegality.as_ref());
        assert!(position.is_none() && status.is_none() && changes.is_empty() && r#move.is_none());
        return;
    }
    assert!(illegality.is_none() && !changes.is_empty() && r#move.is_some());
}

/// The move that was played is known to other methods, and so is the position after it.
fn played_move_is_known(request: &v1::ApplyMoveRequest, answer: &v1::ApplyMoveResponse) {
    let v1::ApplyMoveResponse { position, status, changes, r#move, .. } = answer;
    let Some(played) = r#move else { return };
    // What was played is what its text names and what its steps name, and the steps are a beginning of a move.
    let again = v1::Move { long_text: String::new(), ..played.clone() };
    let again = v1::ApplyMoveRequest { r#move: Some(again), ..request.clone() };
    let again: Option<v1::ApplyMoveResponse> = answered("ApplyMove", &again);
    assert_eq!(again.as_ref(), Some(answer), "{played:?}");
    let prefix = played.steps.clone();
    let steps = v1::LegalStepsRequest {
        position: request.position.clone(),
        prefix,
        page_size: 1,
        ..Default::default()
    };
    let steps: Option<v1::LegalStepsResponse> = answered("LegalSteps", &steps);
    let steps = steps.expect("a legal move is a beginning");
    assert!(steps.legal && steps.complete && steps.changes == *changes, "{played:?}: {steps:?}");
    // The position that is given stands on its own.
    let status_of = v1::GameStatusRequest { position: position.clone() };
    let status_of: Option<v1::GameStatusResponse> = answered("GameStatus", &status_of);
    assert_eq!(status_of.and_then(|answer| answer.status), *status, "{position:?}");
}

fn status_is_right(request: &v1::GameStatusRequest, answer: &v1::GameStatusResponse) {
    let status = answer.status.as_ref().expect("a status");
    assert_ne!(status.state(), v1::State::Unspecified);
    assert_eq!(status.state() == v1::State::Won, status.winner() != v1::Side::Unspecified, "{status:?}");
    assert_eq!(
        status.state() == v1::State::Ongoing,
        status.reason() == v1::Reason::Unspecified,
        "{status:?}"
    );
    assert!(status.repetitions >= 1);
    if let Some((variant, game)) = asked(request.position.as_ref()) {
        let is_over = play::outcome(variant, &game).is_some();
        assert_eq!(is_over, status.state() != v1::State::Ongoing, "{status:?}");
    }
}

fn game_is_replayed(request: &v1::ReplayGameRequest, answer: &v1::ReplayGameResponse) {
    let v1::ReplayGameResponse { legal, bad_move_index, illegality, canonical_moves, position, .. } = answer;
    let count = request.moves.len();
    assert_eq!(*legal, bad_move_index.is_none());
    assert_eq!(canonical_moves.len(), bad_move_index.map_or(count, |index| index as usize));
    if !legal {
        assert_illegality(illegality.as_ref());
    }
    let position = position.as_ref().expect("a position");
    assert!(asked(Some(position)).is_some(), "{position:?} is not sound");
    let wanted = if request.every_position { canonical_moves.len() } else { 0 };
    assert_eq!(answer.positions.len(), wanted);
    assert_eq!(answer.next_move_index, 0);
    if let Some(last) = answer.positions.last() {
        assert_eq!(last, position);
    }
}

/// The moves played are the game, however the request wrote them.
fn game_is_replayed_again(request: &v1::ReplayGameRequest, answer: &v1::ReplayGameResponse) {
    let moves = answer.canonical_moves.clone();
    let again = v1::ReplayGameRequest { moves, ..request.clone() };
    let again: Option<v1::ReplayGameResponse> = answered("ReplayGame", &again);
    let again = again.expect("a game that was replayed");
    assert!(again.legal && again.position == answer.position, "{again:?}");
}
