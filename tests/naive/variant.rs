//! The eight variants, and what sets each apart in a word.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Chess,
    Gamma2,
    Doppelganger,
    BordahBee,
    DoppelgangerBordahBee,
    Extreme,
    Influence,
    ThreeUniverses,
}

use Variant::{
    BordahBee, Chess, Doppelganger, DoppelgangerBordahBee, Extreme, Gamma2, Influence, ThreeUniverses,
};

impl Variant {
    pub fn from_name(name: &str) -> Variant {
        match name {
            "chess" => Chess,
            "gamma2" => Gamma2,
            "doppelganger" => Doppelganger,
            "bordahbee" => BordahBee,
            "doppelganger-bordahbee" => DoppelgangerBordahBee,
            "doppelganger-bordahbee-extreme" => Extreme,
            "influence" => Influence,
            "three-universes" => ThreeUniverses,
            _ => panic!("unknown variant {name}"),
        }
    }

    /// The boards' names in order; a single board has the empty name.
    pub fn board_names(self) -> &'static [&'static str] {
        match self {
            Chess | Gamma2 | Doppelganger => &[""],
            BordahBee | DoppelgangerBordahBee | Extreme => &["A", "B"],
            Influence => &["A", "M", "B"],
            ThreeUniverses => &["R", "G", "B"],
        }
    }

    pub fn files(self) -> i32 {
        match self {
            Gamma2 => 10,
            Influence => 4,
            _ => 8,
        }
    }

    pub fn ranks(self) -> i32 {
        match self {
            Influence => 7,
            _ => 8,
        }
    }

    /// `BordahBee` and its two children: a move is two steps, one on each board.
    pub fn is_bordahbee_family(self) -> bool {
        matches!(self, BordahBee | DoppelgangerBordahBee | Extreme)
    }

    /// Doppelganger Chess and the two games made of it: a capture also removes twins.
    pub fn has_twins(self) -> bool {
        matches!(self, Doppelganger | DoppelgangerBordahBee | Extreme)
    }

    /// Orthodox check: one king a side, which may not be left attacked. (Influence has a check of its own.)
    pub fn has_check(self) -> bool {
        matches!(self, Chess | Gamma2 | Doppelganger)
    }

    pub fn has_double_step(self) -> bool {
        self != Influence
    }

    /// What a pawn may become.
    pub fn promotions(self) -> &'static [char] {
        match self {
            Gamma2 => &['Q', 'R', 'B', 'N', 'S', 'A'],
            // rule: promotion is to rook, knight or bishop only.
            Doppelganger | DoppelgangerBordahBee => &['R', 'N', 'B'],
            Chess | BordahBee | Extreme | Influence | ThreeUniverses => &['Q', 'R', 'B', 'N'],
        }
    }
}
