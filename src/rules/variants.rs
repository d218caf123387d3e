//! The register of games.

mod bordahbee;
mod chess;
mod doppelganger;
mod doppelganger_bordahbee;
mod gamma2;
mod influence;
mod three_universes;

use super::variant::Variant;

/// Every game, in the order in which they are listed.
pub static ALL: &[&dyn Variant] = &[
    &chess::Chess,
    &gamma2::Gamma2,
    &bordahbee::BordahBee,
    &doppelganger::Doppelganger,
    &doppelganger_bordahbee::NORMAL,
    &doppelganger_bordahbee::EXTREME,
    &influence::Influence,
    &three_universes::ThreeUniverses,
];

/// The game of this identifier.
pub fn find(id: &str) -> Option<&'static dyn Variant> {
    ALL.iter().copied().find(|variant| variant.card().id == id)
}
