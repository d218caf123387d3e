//! The eight methods. Each reads its request, asks the rules, and writes its answer.

use std::pin::Pin;
use std::sync::Arc;

use prost::Message;
use tokio_stream::Stream;
use tonic::{Request, Response, Status};

use super::deadline::Deadlines;
use super::error::Error;
use super::listing::{self, PAGE_BYTES, Page, Reached, Room, Walk};
use super::memory::Share;
use super::page_token::{self, Request as Named};
use super::transport::Transport;
use super::v1::arbiter_service_server::{ArbiterService, ArbiterServiceServer};
use super::work::{Kind, Pool, Stop, Work, WorkLimits};
use super::{enums, from_proto, moves_from_proto, replaying, to_proto, v1};
use crate::rules::moves::Step;
use crate::rules::notation::{move_text, position_text};
use crate::rules::piece::Side;
use crate::rules::play::{self, Described};
use crate::rules::turn::{Scope, Turn};
use crate::rules::{initial_position, variants};
use from_proto::Asked;

/// The most items of a list in a game of two steps that are found on the threads that serve connections: about a
/// tenth of a millisecond of work.
const FEW_ITEMS: i32 = 100;

/// What a stream holds beside the batch that is on its way: its place in the walk, and what the transport buffers.
const STREAM_BYTES: usize = 64 << 10;

/// The most moves that are replayed on those threads.
const FEW_MOVES: usize = 8;

/// The referee behind the service.
#[derive(Clone, Debug)]
pub struct Referee {
    work: Work,
}

impl Referee {
    /// A referee whose heavy work runs on this pool.
    pub fn new(pool: Arc<dyn Pool>, limits: &WorkLimits) -> Self {
        Self { work: Work::new(pool, limits) }
    }

    /// The service to be added to a server, which takes requests of so many bytes.
    pub fn into_service(
        self,
        deadlines: Deadlines,
        max_request_bytes: usize,
    ) -> Transport<ArbiterServiceServer<Self>> {
        let service = ArbiterServiceServer::new(self).max_decoding_message_size(max_request_bytes);
        Transport::new(service, deadlines)
    }

    /// Answers at once where the work is light, else on the pool. What is refused for want of room has not even been
    /// read: a refusal must cost little, as many are given when there is too much work.
    async fn answer<T: Send + 'static>(
        &self,
        kind: Kind,
        is_light: bool,
        work: impl FnOnce(&Stop) -> Result<T, Error> + Send + 'static,
    ) -> Result<Response<T>, Status> {
        if is_light {
            return Ok(Response::new(work(&Stop::default())?));
        }
        let place = self.work.admit(kind)?;
        Ok(Response::new(self.work.run(place, work).await??))
    }
}

/// Whether the lists of a position are short, as they are where moves have one step. What is no position is soon
/// refused.
fn is_short(position: Option<&v1::Position>) -> bool {
    let variant = position.and_then(|position| variants::find(&position.variant));
    variant.is_none_or(|variant| variant.card().max_steps == 1)
}

/// Whether a page of moves is found soon.
fn is_light(request: &v1::LegalMovesRequest) -> bool {
    let is_small_page = (1..=FEW_ITEMS).contains(&request.page_size)
        && !request.include_total
        && request.move_view != v1::MoveView::Count as i32;
    is_small_page || is_short(request.position.as_ref())
}

#[tonic::async_trait]
impl ArbiterService for Referee {
    async fn list_variants(
        &self,
        request: Request<v1::ListVariantsRequest>,
    ) -> Result<Response<v1::ListVariantsResponse>, Status> {
        let v1::ListVariantsRequest {} = request.into_inner();
        let variants = variants::ALL.iter().map(|variant| to_proto::variant(variant.card())).collect();
        Ok(Response::new(v1::ListVariantsResponse { variants }))
    }

    async fn get_initial_position(
        &self,
        request: Request<v1::GetInitialPositionRequest>,
    ) -> Result<Response<v1::GetInitialPositionResponse>, Status> {
        Ok(Response::new(initial(request.into_inner())?))
    }

    async fn legal_moves(
        &self,
        request: Request<v1::LegalMovesRequest>,
    ) -> Result<Response<v1::LegalMovesResponse>, Status> {
        let request = request.into_inner();
        let is_light = is_light(&request);
        self.answer(Kind::List, is_light, move |stop| MovesAsked::read(request)?.answer(stop)).await
    }

    type StreamLegalMovesStream =
        Pin<Box<dyn Stream<Item = Result<v1::StreamLegalMovesResponse, Status>> + Send>>;

    async fn stream_legal_moves(
        &self,
        request: Request<v1::StreamLegalMovesRequest>,
    ) -> Result<Response<Self::StreamLegalMovesStream>, Status> {
        let v1::StreamLegalMovesRequest { position, filter, move_view, distinct_positions } =
            request.into_inner();
        let asked = from_proto::game(position)?;
        let scope = from_proto::scope(asked.variant.card(), filter.as_ref())?;
        let view = enums::move_view(move_view)?;
        if view == v1::MoveView::Count {
            return Err(Error::value("move_view", "a stream does not count: LegalMoves does").into());
        }
        let share = self.work.memory.share();
        share.try_hold(STREAM_BYTES)?;
        let is_over = play::ended_without_search(asked.variant, &asked.game).is_some();
        let reached = distinct_positions.then(|| Reached::new(&self.work.memory));
        let walk = Walk { asked, scope, view, after: None, reached };
        let batches = batches(self.work.clone(), share, (!is_over).then_some(walk));
        Ok(Response::new(Box::pin(batches)))
    }

    async fn legal_steps(
        &self,
        request: Request<v1::LegalStepsRequest>,
    ) -> Result<Response<v1::LegalStepsResponse>, Status> {
        let request = request.into_inner();
        let is_light = is_short(request.position.as_ref());
        self.answer(Kind::List, is_light, move |stop| steps(request, stop)).await
    }

    async fn apply_move(
        &self,
        request: Request<v1::ApplyMoveRequest>,
    ) -> Result<Response<v1::ApplyMoveResponse>, Status> {
        let v1::ApplyMoveRequest { position, r#move: chosen, position_view } = request.into_inner();
        let asked = from_proto::game(position)?;
        let view = enums::position_view(position_view)?;
        let read = moves_from_proto::chosen(&asked, chosen)?;
        let card = asked.variant.card();
        let applied = read
            .map_err(|illegality| *illegality)
            .and_then(|steps| Ok((play::apply(asked.variant, &asked.game, &steps)?, steps)));
        Ok(Response::new(match applied {
            Err(illegality) => v1::ApplyMoveResponse {
                legal: false,
                illegality: Some(to_proto::illegality(card, &illegality)),
                ..Default::default()
            },
            Ok((applied, steps)) => v1::ApplyMoveResponse {
                legal: true,
                position: Some(to_proto::position(asked.variant, &applied.game, view)),
                status: Some(to_proto::status(card, &play::status(asked.variant, &applied.game))),
                changes: to_proto::changes(card, &applied.changes),
                r#move: Some(to_proto::full_move(card, &described(&asked, &steps))),
                illegality: None,
            },
        }))
    }

    async fn game_status(
        &self,
        request: Request<v1::GameStatusRequest>,
    ) -> Result<Response<v1::GameStatusResponse>, Status> {
        let v1::GameStatusRequest { position } = request.into_inner();
        let asked = from_proto::game(position)?;
        let status = play::status(asked.variant, &asked.game);
        let status = Some(to_proto::status(asked.variant.card(), &status));
        Ok(Response::new(v1::GameStatusResponse { status }))
    }

    async fn replay_game(
        &self,
        request: Request<v1::ReplayGameRequest>,
    ) -> Result<Response<v1::ReplayGameResponse>, Status> {
        let request = request.into_inner();
        let is_light = request.moves.len() <= FEW_MOVES;
        self.answer(Kind::Verdict, is_light, move |stop| replaying::replay(request, stop)).await
    }
}

fn initial(request: v1::GetInitialPositionRequest) -> Result<v1::GetInitialPositionResponse, Error> {
    let v1::GetInitialPositionRequest { variant, above_army, position_view } = request;
    let variant = from_proto::variant("variant", &variant)?;
    let view = enums::position_view(position_view)?;
    let army = match enums::side(above_army) {
        Ok(army @ (None | Some(Side::White | Side::Black))) => army,
        Ok(Some(Side::Above | Side::Below)) | Err(_) => {
            return Err(Error::value("above_army", "Above helps the white or the black army"));
        }
    };
    let position = initial_position(variant, army)
        .map_err(|_| Error::value("above_army", "the players of this game help no armies"))?;
    let position = Some(to_proto::position(variant, &play::Game::new(position), view));
    Ok(v1::GetInitialPositionResponse { position })
}

/// A request for a page of moves.
struct MovesAsked {
    asked: Asked,
    scope: Scope,
    view: v1::MoveView,
    room: Room,
    include_total: bool,
    pages: Pages,
}

impl MovesAsked {
    fn read(request: v1::LegalMovesRequest) -> Result<Self, Error> {
        let v1::LegalMovesRequest { position, filter, move_view, page_size, page_token, include_total } =
            request;
        let asked = from_proto::game(position)?;
        let scope = from_proto::scope(asked.variant.card(), filter.as_ref())?;
        let view = enums::move_view(move_view)?;
        let room = Room { items: from_proto::page_size(page_size)?, bytes: PAGE_BYTES };
        let pages = Pages { method: "LegalMoves", filter, prefix: Vec::new(), token: page_token };
        Ok(Self { asked, scope, view, room, include_total, pages })
    }

    fn answer(self, stop: &Stop) -> Result<v1::LegalMovesResponse, Error> {
        let Self { asked, scope, view, room, include_total, pages } = self;
        let after = pages.place(&asked)?;
        if play::ended_without_search(asked.variant, &asked.game).is_some() {
            return Ok(v1::LegalMovesResponse::default());
        }
        let total_size = if include_total || view == v1::MoveView::Count {
            listing::count(&asked, &scope, stop)?
        } else {
            0
        };
        if view == v1::MoveView::Count {
            return Ok(v1::LegalMovesResponse { total_size, ..Default::default() });
        }
        let mut walk = Walk { asked, scope, view, after, reached: None };
        let Page { items: moves, next_after } = walk.next_page(room, stop)?;
        let next_page_token = pages.next_token(&walk.asked, next_after);
        Ok(v1::LegalMovesResponse { moves, next_page_token, total_size })
    }
}

/// What the pages of a list depend on beside the position, and the page asked for.
struct Pages {
    method: &'static str,
    filter: Option<v1::Filter>,
    prefix: Vec<Step>,
    token: String,
}

impl Pages {
    /// The place that the page token stands for: the steps of the last item that was had, after those of the prefix.
    /// A token with a place that is none was not written by the service.
    fn place(&self, asked: &Asked) -> Result<Option<Vec<Step>>, Error> {
        if self.token.is_empty() {
            return Ok(None);
        }
        let text = page_token::read(self.name(asked), &self.token)?;
        let steps = move_text::parse(asked.variant.card(), &text).map_err(|_| Error::InvalidPageToken)?;
        let whole = [self.prefix.as_slice(), &steps].concat();
        play::begin(asked.variant, &asked.game, &whole).map_err(|_| Error::InvalidPageToken)?;
        Ok(Some(steps))
    }

    /// The token of the page after this place; empty without one.
    fn next_token(&self, asked: &Asked, after: Option<Vec<Step>>) -> String {
        after
            .map(|steps| page_token::write(self.name(asked), &move_text::print(asked.variant.card(), &steps)))
            .unwrap_or_default()
    }

    /// The name of the request, to which its tokens belong.
    fn name(&self, asked: &Asked) -> Named {
        let history: Vec<String> = asked.game.history.iter().map(|key| format!("{key:016x}")).collect();
        // An unset filter lets through what an empty one does.
        let filter = self.filter.clone().unwrap_or_default();
        Named::new(&[
            self.method,
            asked.variant.card().id,
            &position_text::print(asked.variant, &asked.game.position),
            &history.concat(),
            &filter.encode_to_vec().escape_ascii().to_string(),
            &move_text::print(asked.variant.card(), &self.prefix),
        ])
    }
}

fn steps(request: v1::LegalStepsRequest, stop: &Stop) -> Result<v1::LegalStepsResponse, Error> {
    let v1::LegalStepsRequest { position, prefix, filter, page_size, page_token } = request;
    let asked = from_proto::game(position)?;
    let card = asked.variant.card();
    let prefix = moves_from_proto::steps(card, "prefix", &prefix)?;
    let scope = from_proto::scope(card, filter.as_ref())?;
    let room = Room { items: from_proto::page_size(page_size)?, bytes: PAGE_BYTES };
    let begun = match play::begin(asked.variant, &asked.game, &prefix) {
        Ok(begun) => begun,
        Err(illegality) => {
            let illegality = Some(to_proto::illegality(card, &illegality));
            return Ok(v1::LegalStepsResponse { legal: false, illegality, ..Default::default() });
        }
    };
    let pages = Pages { method: "LegalSteps", filter, prefix, token: page_token };
    let after = pages.place(&asked)?;
    let after = after.as_ref().and_then(|steps| steps.first());
    let Page { items, next_after } = listing::next_steps(&asked, &begun.turn, &scope, after, room, stop)?;
    let next_page_token = pages.next_token(&asked, next_after);
    Ok(v1::LegalStepsResponse {
        steps: items,
        legal: true,
        complete: begun.complete,
        illegality: None,
        changes: to_proto::changes(card, &begun.changes),
        next_page_token,
    })
}

/// The steps of a legal move with their pieces and captures.
fn described(asked: &Asked, steps: &[Step]) -> Vec<Described> {
    let mut turn = Turn::new(asked.game.position.clone());
    steps.iter().filter_map(|step| play::take(asked.variant, &mut turn, step)).collect()
}

/// The batches of a walk, each made when the one before has been taken; none of no walk. The share of the memory is
/// held while there may be more.
fn batches(
    work: Work,
    share: Share,
    walk: Option<Walk>,
) -> impl Stream<Item = Result<v1::StreamLegalMovesResponse, Status>> {
    futures_util::stream::unfold(walk, move |walk| {
        let _held = &share;
        let work = work.clone();
        async move {
            let mut walk = walk?;
            let made = work.run_batch(move |stop| (walk.next_page(Room::BATCH, stop), walk)).await;
            match made {
                Ok((Ok(Page { items: moves, next_after }), mut walk)) => {
                    let rest = next_after.map(|after| {
                        walk.after = Some(after);
                        walk
                    });
                    (rest.is_some() || !moves.is_empty())
                        .then_some((Ok(v1::StreamLegalMovesResponse { moves }), rest))
                }
                Ok((Err(error), _)) | Err(error) => Some((Err(error.into()), None)),
            }
        }
    })
}
