"""The kinds of task on the agenda, with the meanings of their numbers `a` and `b`, and of entry in the journal."""

from __future__ import annotations

from rogsim.game.kit.state_fields import FIRST_KIND

# Besides ASK, where b = 1 after the active player could exchange.
(
    VISITOR_REWARDS,  # from the a-th of the four shore spaces
    OWNER_REWARDS,  # from the a-th shore space, b-th marker
    ROYAL_SHIP,  # the nobles' abilities
    PATRON_SAILS,
    JOURNEY_REWARD,
    MERCHANTS,  # abilities, from merchant a + 1
    ROW_END,  # discard the row's end tile and refill
    INFLUENCE,  # gain b in region a
    CLIMB,  # move on to space b in region a
    FAVOR,  # gain b
    DRAW,  # a cards, then discard one
    DELIVERY_REWARD,  # customer a
    SECOND_MARKER,  # monk of region a
    REFILL,
    EMPERORS_VISIT,  # from shore space a, marker b
    END_TURN,  # from step a
) = range(FIRST_KIND, FIRST_KIND + 16)

# What happened automatically in the last step.
RESHUFFLED, VISIT_BEGUN, END_TRIGGERED, DRAWN, ROLLED, CLAIMED, TURN_OVER = range(7)
