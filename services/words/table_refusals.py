"""Why the table or the service refuses something, whatever the game."""

from collections.abc import Mapping

from services.words.clock_refusals import CLOCK_REFUSALS
from services.words.clubs import CLUB_REFUSALS
from services.words.contact_refusals import CONTACT_REFUSALS
from services.words.contract import NOTHING, Arguments, RefusalWords
from services.words.import_refusals import IMPORT_REFUSALS
from services.words.leagues import LEAGUE_REFUSALS
from services.words.names import game_name, phase_name
from services.words.operator_refusals import OPERATOR_REFUSALS
from services.words.passkey_refusals import PASSKEY_REFUSALS
from services.words.phrases import Words, phrase

_SENT_AGAIN = phrase("Nothing was changed. Try again.")
_SEATS_RULE = phrase("Each seat is for one player, and each player has one seat.")
_NONCE_RULE = phrase(
    "Whoever announced a random word on sitting down reveals that same word on getting ready."
)
_PEOPLE_RULE = phrase("Only people get ready, leave, resign, or let a bot play for them.")
_STARTED_RULE = phrase("Hands are dealt when all seats are taken and everybody is ready.")
_BOT_RULE = phrase("A bot may stand in for a person, and the person may come back.")
_UNDO_RULE = phrase("What may be taken back is agreed when the table is made.")
_REQUEST_RULE = phrase(
    "Each of the others answers a request once, and only the person who made it can withdraw it."
)
_OVER_RULE = phrase("A match that has ended stays as it is.")


_SEAT_LISTS = frozenset({"to_act", "free", "seats"})
"""Arguments that name seats if they are lists; ``seats`` may also be a number of seats."""


def table_arguments(words: Words, arguments: Arguments) -> Arguments:
    """Turn a refusal's arguments into what its sentences need."""
    ready = dict(arguments)
    for name, value in arguments.items():
        # People count seats from 1, as they do on pages; on the wire the first one is 0.
        if name == "seat" and isinstance(value, int):
            ready[name] = value + 1
        elif isinstance(value, list | tuple):
            seats = name in _SEAT_LISTS
            ready[name] = words.any_of(one + 1 if seats else one for one in value)
    for name in ("game", "expected"):
        if isinstance(arguments.get(name), str):
            ready[name] = game_name(arguments[name], words.language)
    if "phase" in arguments:
        ready["phase"] = phase_name(str(arguments["phase"]), words.language)
    return ready


TABLE_REFUSALS: Mapping[str, RefusalWords] = {
    "not_your_turn": RefusalWords(
        phrase("It is not your turn."),
        phrase("A seat moves when it is asked to."),
        phrase("Wait for seat {to_act}."),
    ),
    "match.exists": RefusalWords(
        phrase("A match with this id already exists."), phrase("An id names one match for ever."), NOTHING
    ),
    "match.unknown": RefusalWords(
        phrase("There is no such match."), NOTHING, phrase("Check the match's id.")
    ),
    "match.over": RefusalWords(phrase("The match is over ({phase})."), _OVER_RULE, NOTHING),
    "match.closed": RefusalWords(phrase("The match is over."), _OVER_RULE, NOTHING),
    "match.not_started": RefusalWords(
        phrase("The match has not begun."), _STARTED_RULE, phrase("Start the match first.")
    ),
    "match.already_started": RefusalWords(
        phrase("The match has already begun."), phrase("Seats are arranged before the start."), NOTHING
    ),
    "match.seats_open": RefusalWords(
        phrase("There are free seats: {seats}."), _STARTED_RULE, phrase("Invite somebody, or seat a bot.")
    ),
    "match.not_ready": RefusalWords(
        phrase("Not everybody is ready. Missing seats: {seats}."),
        _STARTED_RULE,
        phrase("Wait until everybody has said so."),
    ),
    "expiry.announced": RefusalWords(phrase("The end of this table was told already."), NOTHING, NOTHING),
    "expiry.not_announced": RefusalWords(
        phrase("This table does not close yet."),
        phrase("A table that has not begun closes after a while in which nothing happens."),
        NOTHING,
    ),
    "expiry.not_yet": RefusalWords(phrase("This table does not close yet."), NOTHING, NOTHING),
    "match.nonces_awaited": RefusalWords(
        phrase("The table still waits for random words that were announced. Seats: {seats}."),
        _STARTED_RULE,
        phrase("After a minute the match begins without them."),
    ),
    "seat.asked_too_often": RefusalWords(
        phrase("Seats of this match were asked for {most} times."),
        phrase("Outsiders may ask for a match's seats only so often."),
        NOTHING,
    ),
    "seat.nobody_to_ask": RefusalWords(
        phrase("Nobody at this table can agree."),
        phrase("The people at the table must agree before somebody takes over a seat."),
        NOTHING,
    ),
    "seat.not_asked": RefusalWords(
        phrase("You ask for no seat of this table, or no longer."),
        phrase("Only who asked for a seat can take that back, until the people at the table have answered."),
        NOTHING,
    ),
    "rematch.not_over": RefusalWords(
        phrase("This match is not over."), phrase("A match is played again once it is over."), NOTHING
    ),
    "rematch.too_many": RefusalWords(
        phrase("This match was to be played again {most} times, and each time it came to nothing."),
        NOTHING,
        phrase("Make another table."),
    ),
    "seat.kept": RefusalWords(
        phrase("Seat {seat} is kept for somebody."),
        phrase("A seat that is kept can be taken only by the person whom it is kept for."),
        phrase("Take another one, or ask the host to open it."),
    ),
    "seat.not_kept": RefusalWords(phrase("Seat {seat} is kept for nobody."), NOTHING, NOTHING),
    "start.unknown": RefusalWords(
        phrase("Nothing called {start} begins a match."), NOTHING, phrase("Choose one of these: {known}.")
    ),
    "ready.not_ahead": RefusalWords(
        phrase("At this table nobody can be ready in advance."),
        phrase("It was made under older rules of the table."),
        phrase("Sit down first, then say that you are ready."),
    ),
    "reason.missing": RefusalWords(
        phrase("The reason is missing, or is not a short line of text."),
        phrase("Whoever steps in says why, for everybody at the table to read."),
        phrase("Say why in at most {longest} characters."),
    ),
    "match.full": RefusalWords(
        phrase("The log of this match is full."),
        phrase("The number of events in a match is limited."),
        NOTHING,
    ),
    "matches.busy": RefusalWords(
        phrase("Many long matches are being looked through at this moment."),
        NOTHING,
        phrase("Try again in a few seconds."),
    ),
    "match.contended": RefusalWords(phrase("Others were quicker every time."), NOTHING, _SENT_AGAIN),
    "game.unknown": RefusalWords(
        phrase("There is no such game."), NOTHING, phrase("Choose one of these: {known}.")
    ),
    "rules.unknown": RefusalWords(
        phrase("{game} has no rules number {rules}."), NOTHING, phrase("Choose one of these: {known}.")
    ),
    "fork.nothing_to_play": RefusalWords(
        phrase("At version {version} there is nothing to play."),
        phrase("A match can be continued from any position at which somebody is to move."),
        phrase("Choose a version after the first deal and before the end of the match."),
    ),
    "fork.other_game": RefusalWords(
        # A game's name may end with a full stop.
        phrase("The game asked for ({game}) is not that of the position ({expected})."),
        phrase("A match that starts from another's position plays the same game."),
        NOTHING,
    ),
    "fork.other_seats": RefusalWords(
        phrase("Seats asked for: {seats}."),
        phrase("A match that starts from another's position has the same number of seats."),
        phrase("Choose {expected} seats."),
    ),
    "coach.not_allowed": RefusalWords(
        phrase("An expert's advice is not given here."),
        phrase("It is given once a match is over, and before that to its only player about their own turns."),
        NOTHING,
    ),
    "fork.not_allowed": RefusalWords(
        phrase("This match cannot be continued elsewhere."),
        phrase("A match can be continued elsewhere once it is over, or at any time by its only player."),
        NOTHING,
    ),
    "options.invalid": RefusalWords(
        phrase("{game} has no option {option} with this value."),
        phrase("Each game has its own options with fixed values."),
        phrase("Choose one of these: {known}."),
    ),
    "bot.unknown_level": RefusalWords(
        phrase("There is no bot of level {level}."), NOTHING, phrase("Choose one of these: {known}.")
    ),
    "undo.unknown_policy": RefusalWords(
        phrase("There is no undo policy called {undo}."), NOTHING, phrase("Choose one of these: {known}.")
    ),
    "visibility.unknown": RefusalWords(
        phrase("There is no visibility called {visibility}."),
        NOTHING,
        phrase("Choose one of these: {known}."),
    ),
    "player.already_seated": RefusalWords(
        phrase("You already have seat {seat}."), _SEATS_RULE, phrase("Leave that seat first.")
    ),
    "seats.number": RefusalWords(
        phrase("Seats asked for: {seats}."),
        phrase("{game} is for {fewest} to {most} players."),
        phrase("Choose {fewest} to {most} seats."),
    ),
    "seat.taken": RefusalWords(phrase("Seat {seat} is taken."), _SEATS_RULE, phrase("Free seats: {free}.")),
    "invitation.not_for_you": RefusalWords(
        phrase("This invitation was made before you were removed from the club."),
        phrase("Who was removed comes back by a new invitation only."),
        phrase("Ask a host of the club for one."),
    ),
    "name.taken": RefusalWords(
        phrase("Somebody at this table is called {name}."),
        phrase("At one table a name means one person."),
        phrase("You could call yourself {offered}."),
    ),
    "seat.none_free": RefusalWords(phrase("All seats are taken."), _SEATS_RULE, NOTHING),
    "seats.closed": RefusalWords(
        phrase("People have come and gone too often at this table: nobody else can sit down."),
        phrase(
            "After {limit} events a table that has not begun takes nobody new. Those who sit there can still play."
        ),
        phrase("Make another table, or ask the host to make one."),
    ),
    "seat.unknown": RefusalWords(
        phrase("The table has no seat {seat}."),
        NOTHING,
        phrase("It has {seats} seats."),
    ),
    "seat.empty": RefusalWords(phrase("No person sits on seat {seat}."), _PEOPLE_RULE, NOTHING),
    "seat.reissued_by_operator": RefusalWords(
        phrase("The cards are dealt: the host cannot give anybody's seat back any more."),
        phrase("Whoever gets a seat sees its cards."),
        phrase("Ask the operator of this service."),
    ),
    "seat.already_ready": RefusalWords(
        phrase("Seat {seat} has already said that it is ready."), NOTHING, NOTHING
    ),
    "seat.bot_plays": RefusalWords(
        phrase("A bot plays for you."), _BOT_RULE, phrase("Take your seat back, then play.")
    ),
    "seat.bot_plays_already": RefusalWords(
        phrase("A bot already plays for seat {seat}."), _BOT_RULE, NOTHING
    ),
    "seat.no_bot_plays": RefusalWords(phrase("No bot plays for seat {seat}."), _BOT_RULE, NOTHING),
    "seat.resigned": RefusalWords(
        phrase("Seat {seat} has given up."), phrase("Giving up is final."), NOTHING
    ),
    "nonce.required": RefusalWords(
        phrase("The random word of seat {seat} is missing."), _NONCE_RULE, phrase("Send the word.")
    ),
    "nonce.already_announced": RefusalWords(
        phrase("You have announced a random word already."), NOTHING, phrase("Say that you are ready.")
    ),
    "nonce.too_late": RefusalWords(
        phrase("Somebody has shown their random word already."),
        phrase("Whoever announces one now could choose it, knowing the others'."),
        phrase("Say that you are ready without one; the match says whose words its deals have."),
    ),
    "nonce.too_early": RefusalWords(
        phrase("There are free seats: {free}."),
        phrase("Whoever sits down later could choose their random word, knowing yours."),
        phrase("Be ready without showing it, and show it when all seats are taken."),
    ),
    "seat.idles": RefusalWords(
        phrase("You have done {limit} things in a row that do not move the game."),
        phrase("Between two moves, the things that do not move the game have a limit."),
        phrase("Wait until somebody has moved, or move yourself."),
    ),
    "nonce.mismatch": RefusalWords(
        phrase("This is not the random word that seat {seat} announced."),
        _NONCE_RULE,
        phrase("Send the announced word."),
    ),
    "nonce.not_announced": RefusalWords(
        phrase("Seat {seat} announced no random word."), _NONCE_RULE, phrase("Get ready without one.")
    ),
    "undo.off": RefusalWords(phrase("Nothing can be taken back at this table."), _UNDO_RULE, NOTHING),
    "undo.not_free": RefusalWords(
        phrase("This can no longer be taken back."),
        phrase("A move can be taken back until somebody has played on or seen a new card."),
        NOTHING,
    ),
    "undo.choose_again": RefusalWords(
        phrase("You may still choose again; there is nothing to take back."),
        phrase("Until everybody has chosen, you can change your choice."),
        phrase("Make your move again, another one or the same."),
    ),
    "undo.nothing": RefusalWords(phrase("There is nothing to take back."), _UNDO_RULE, NOTHING),
    "undo.no_turn_there": RefusalWords(
        phrase("Version {to} is not a turn that can be taken back."),
        phrase("You can take back only your own turns."),
        phrase("Name a version at which it was your turn."),
    ),
    "undo.not_your_turn_there": RefusalWords(
        phrase("It was not your turn at version {to}."),
        phrase("You can take back only your own turns."),
        phrase("Name a version at which it was your turn."),
    ),
    "redo.nothing": RefusalWords(phrase("There is nothing to replay."), _UNDO_RULE, NOTHING),
    "redo.not_yours": RefusalWords(
        phrase("The turn that was taken back was not yours."),
        phrase("You can replay only your own turns."),
        NOTHING,
    ),
    "request.already_made": RefusalWords(
        phrase("This has already been asked."), _REQUEST_RULE, phrase("Wait for the answers.")
    ),
    "request.already_answered": RefusalWords(
        phrase("You have already answered this request."), _REQUEST_RULE, phrase("Wait for the others.")
    ),
    "request.not_asked": RefusalWords(
        phrase("You are not asked about this request."), _REQUEST_RULE, NOTHING
    ),
    "request.not_yours": RefusalWords(phrase("This request is not yours."), _REQUEST_RULE, NOTHING),
    "request.still_open": RefusalWords(
        phrase("The request may still be answered, until {expires}."), _REQUEST_RULE, NOTHING
    ),
    "request.unknown": RefusalWords(
        phrase("There is no such request, or it is no longer open."), _REQUEST_RULE, NOTHING
    ),
    "command.without_effect": RefusalWords(
        phrase("This would change nothing."), phrase("A command changes something."), NOTHING
    ),
    "command.id_reused": RefusalWords(
        phrase("This command id was used before, for something else."),
        phrase("A command id stands for one command."),
        phrase("Send it again with a new id."),
    ),
    "version.stale": RefusalWords(
        phrase("The match has moved on since you looked."),
        phrase("A move is based on what was last asked of the seat."),
        phrase("Look at the table and move again."),
    ),
    "version.unknown": RefusalWords(
        phrase("The match has no such version."),
        phrase("A version is the number of events in a match's log."),
        NOTHING,
    ),
    "seat.not_held": RefusalWords(phrase("You no longer hold a seat in this match."), NOTHING, NOTHING),
    "token.missing": RefusalWords(
        phrase("This needs a token."),
        NOTHING,
        phrase("Use the token you got for this match."),
    ),
    "token.host_needed": RefusalWords(
        phrase("Only the host of the table may do this."), NOTHING, phrase("Use the host's token.")
    ),
    "token.seat_needed": RefusalWords(
        phrase("Only somebody with a seat at the table may do this."), NOTHING, phrase("Take a seat.")
    ),
    "token.person_needed": RefusalWords(
        phrase("Only somebody who is known here can do this."),
        phrase("The token of one seat or of a host does not prove a person."),
        phrase("Make or join a table, or come back if you have played here before."),
    ),
    "link.unknown": RefusalWords(
        phrase("This link leads nowhere, or it ended long ago."),
        NOTHING,
        phrase("Make a new one on a device on which you are known, or come back with your recovery code."),
    ),
    "link.used": RefusalWords(
        phrase("This link was used already."),
        phrase("Each link lets one device in, once."),
        phrase("Make a new one on a device on which you are known, or come back with your recovery code."),
    ),
    "link.expired": RefusalWords(
        phrase("The time of this link is over."),
        NOTHING,
        phrase("Make a new one on a device on which you are known, or come back with your recovery code."),
    ),
    "link.revoked": RefusalWords(
        phrase("This link was taken back, or a newer one was made."),
        NOTHING,
        phrase("Use the newest one."),
    ),
    "recovery_code.unknown": RefusalWords(
        phrase("This is nobody's recovery code, or it was replaced by another one."),
        NOTHING,
        phrase("Check each group of letters and digits."),
    ),
    "link.ended": RefusalWords(
        phrase("This link opens nothing any more."), NOTHING, phrase("Use the newest one.")
    ),
    "way_back.unknown": RefusalWords(
        phrase("This is no link, no token and no recovery code."),
        NOTHING,
        phrase("Paste all of it, or type the five letters and digits of each group."),
    ),
    "device.unknown": RefusalWords(
        phrase("You are not signed in on such a device, or no longer."), NOTHING, NOTHING
    ),
    "key.other_scope": RefusalWords(
        phrase("This key is good for something else."),
        NOTHING,
        phrase("A key for bots sits and plays; a key for the inbox reads which tables wait for its person."),
    ),
    "key.unknown": RefusalWords(
        phrase("You have no such key, or no longer."), NOTHING, phrase("List your keys.")
    ),
    "bookmark.too_many": RefusalWords(
        phrase("You keep {most} positions already."), NOTHING, phrase("Forget one of them first.")
    ),
    "bookmark.note_too_long": RefusalWords(
        phrase("A note has {longest} characters at most."), NOTHING, phrase("Make it shorter.")
    ),
    "talk.off": RefusalWords(
        phrase("The host wants no talk at this table."), NOTHING, phrase("Ask the host.")
    ),
    "talk.not_yours": RefusalWords(
        phrase("Somebody else said this."),
        phrase("Who said something may delete it, and the host may."),
        NOTHING,
    ),
    "talk.unknown": RefusalWords(
        phrase("Nothing like this was said here, or it was deleted."), NOTHING, phrase("Look again.")
    ),
    "talk.partakers_only": RefusalWords(
        phrase("What is said at a table stays between those who play there."),
        NOTHING,
        phrase("Take a seat."),
    ),
    "keys.too_many": RefusalWords(
        phrase("You have as many keys as one may have."), NOTHING, phrase("Revoke one first.")
    ),
    "person.sits_twice": RefusalWords(
        phrase("You sit at one table twice: here, and as who you are elsewhere."),
        phrase("Each player has one seat at a table: who plays two knows two hands."),
        phrase("Leave one of the two seats first, or finish that match."),
    ),
    "address.unknown": RefusalWords(
        phrase("This address leads nowhere, or no longer."),
        NOTHING,
        phrase("Ask for a new one on the page of your notices."),
    ),
    "notice.not_delivered": RefusalWords(
        phrase("The notice was not delivered."), NOTHING, phrase("It is tried again.")
    ),
    "notice.contact_gone": RefusalWords(
        phrase("Nobody can be reached there any more."), NOTHING, phrase("Give another address.")
    ),
    "match.private": RefusalWords(
        phrase("Only people at the table can see this match."),
        NOTHING,
        phrase("If you wanted to sit down there, somebody was faster, and it has begun."),
    ),
    "seat.other": RefusalWords(
        phrase("You cannot look at the match from another seat."),
        phrase("While a match is played, only the person on a seat sees its cards."),
        NOTHING,
    ),
    "form.foreign": RefusalWords(
        phrase("This form was not sent from one of our pages."),
        NOTHING,
        phrase("Open the page again and send the form from there."),
    ),
    "requests.too_many": RefusalWords(
        phrase("There were too many requests in a short time, so nothing was done."),
        NOTHING,
        phrase("Wait a moment, then go on more slowly."),
    ),
    "streams.full": RefusalWords(
        phrase("Too many people are following at the moment."), NOTHING, phrase("Try again in a moment.")
    ),
    "streams.too_many": RefusalWords(
        phrase("You follow as many tables at once as one person, or one address, may."),
        NOTHING,
        phrase("Close a page that you no longer need."),
    ),
    "precondition.required": RefusalWords(
        phrase("The move does not say which version of the match it is based on."),
        phrase("A move is based on what was last asked of the seat."),
        phrase("Look at the table and move again."),
    ),
    "token.unknown": RefusalWords(
        phrase("This token opens nothing here."),
        NOTHING,
        phrase("Use the token you got for this match."),
    ),
    "not_allowed": RefusalWords(phrase("You may not do this."), NOTHING, NOTHING),
    "archive.unavailable": RefusalWords(phrase("The archive does not answer."), NOTHING, _SENT_AGAIN),
    "archive.differs": RefusalWords(
        phrase("The archive holds something else for this match."), NOTHING, phrase("Tell the operator.")
    ),
    "archive.not_closed": RefusalWords(
        phrase("The match is not over."), phrase("Only ended matches go to the archive."), NOTHING
    ),
    "digest.unknown": RefusalWords(
        phrase("There is no such digest."),
        phrase("Digests are numbered from 1, without gaps."),
        NOTHING,
    ),
    "log.broken": RefusalWords(
        phrase("The record of this match is damaged: it can be neither shown nor continued."),
        NOTHING,
        phrase("Tell the operator."),
    ),
    "store.full": RefusalWords(
        phrase("The house is full: there is no room for another move."),
        phrase("What was played is safe, and can be looked at."),
        phrase("Tell the operator."),
    ),
    "store.read_only": RefusalWords(
        phrase("The house can be looked at now, but nobody can play."),
        phrase("It runs on a copy that takes no moves."),
        phrase("Tell the operator."),
    ),
    "store.went_back": RefusalWords(
        phrase("The house has lost moves that it had kept, so nobody can play now."),
        phrase("No move is taken until the operator has looked."),
        phrase("Tell the operator."),
    ),
    "release.too_old": RefusalWords(
        phrase("This match was played on with a newer version of the house than the one that answers here."),
        phrase("Nothing is lost: the house is being renewed."),
        phrase("Try again in a moment."),
    ),
    "store.unavailable": RefusalWords(phrase("The store does not answer."), NOTHING, _SENT_AGAIN),
    "outcome.unknown": RefusalWords(
        phrase("The connection broke, so it is not known whether this was done."),
        NOTHING,
        phrase("Send the same again: it will not be done twice."),
    ),
    **CLOCK_REFUSALS,
    **CLUB_REFUSALS,
    **LEAGUE_REFUSALS,
    **CONTACT_REFUSALS,
    **PASSKEY_REFUSALS,
    **IMPORT_REFUSALS,
    **OPERATOR_REFUSALS,
}
"""By code, including those of the services' errors, which are no different to a reader."""
