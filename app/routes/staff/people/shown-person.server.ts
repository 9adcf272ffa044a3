import { courseListPrefix } from '#app/features/enrolments/waiting/board.server.ts';
import { stateLabels as chatStates } from '#app/features/inbox/conversations/states.ts';
import { stateLabels as enquiryStates } from '#app/features/inbox/enquiries/inbox.ts';
import type { findPerson } from '#app/features/reports/person.server.ts';
import { formatDay, formatDays } from '#app/lib/dates.ts';
import { formatExact } from '#app/lib/exact-money.ts';
import { shownPhone } from '#app/lib/phone-number.server.ts';
import { formatMoment } from '#app/lib/short-dates.ts';
import { showControlCharacters } from '#app/lib/show-control-characters.ts';

/** A person as the page shows them. */
export function shownPerson(person: NonNullable<Awaited<ReturnType<typeof findPerson>>>) {
  const owedCents = person.enrolments.reduce((sum, { balanceCents }) => sum + Math.max(0, balanceCents), 0);
  return {
    id: String(person.id),
    name: showControlCharacters(person.name ?? person.email ?? 'No name'),
    otherNames: person.names.filter((name) => name !== person.name).map(showControlCharacters),
    addresses: person.addresses.map(({ email, verifiedAt }) => ({
      email: showControlCharacters(email),
      proved: verifiedAt !== null,
    })),
    phones: person.phones.map((phone) => showControlCharacters(shownPhone(phone))),
    organisations: person.organisations.map(showControlCharacters),
    owed: owedCents > 0 ? `${formatExact(owedCents)} incl. GST` : null,
    roles: person.roles.map(({ role }) => role),
    account: person.accountSince && formatMoment(person.accountSince),
    since: formatMoment(person.since),
    enrolments: person.enrolments.map((row) => ({
      reference: row.reference,
      title: row.title,
      at: formatMoment(row.placed_at),
      owed: row.balanceCents === 0 ? null : formatExact(row.balanceCents),
    })),
    places: person.places.map((place) => ({
      id: place.id,
      title: place.title,
      reference: place.reference,
      courseDate: place.courseDate,
      isOff: place.state === 'cancelled',
      when:
        place.startsOn && place.endsOn
          ? formatDays(place.startsOn, place.endsOn)
          : place.guidedFrom
            ? `From ${formatDay(place.guidedFrom)}`
            : 'The next date',
    })),
    enquiries: person.enquiries.map(({ reference, kind, at, state }) => ({
      reference,
      kind,
      at: formatMoment(at),
      state: enquiryStates[state as keyof typeof enquiryStates],
    })),
    bookings: person.bookings.map((booking) => ({ ...booking, at: formatMoment(booking.at) })),
    chats: person.chats.map(({ id, at, state }) => ({
      id: String(id),
      at: formatMoment(at),
      state: chatStates[state as keyof typeof chatStates],
    })),
    waiting: person.waiting.map(({ id, title, course, courseDate, at, closedAt, seats }) => ({
      id,
      title,
      list: courseDate ?? courseListPrefix + course,
      at: formatMoment(at),
      seats,
      isOver: closedAt !== null,
    })),
    certificates: person.certificates.map((one) => ({ ...one, at: formatMoment(one.at) })),
    consents: person.consents.map(({ address, wording, at }) => ({
      address: showControlCharacters(address),
      wording,
      at: formatMoment(at),
    })),
  };
}
