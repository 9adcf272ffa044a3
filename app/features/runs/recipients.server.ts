import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import { enrolmentLink, placeLink } from '#app/features/enrolments/links.server.ts';
import { waitingLink } from '#app/features/waiting/links.server.ts';
import { isErased } from '#app/lib/erased-address.ts';
import { nameForOthers } from '#app/lib/shown-name.ts';

export const audiences = ['attendees', 'buyers', 'waiting'] as const;
export type Audience = (typeof audiences)[number];

type RecipientKind = 'attendee' | 'enrolment' | 'waiting-entry';

/** A possible recipient of a message about a course date. */
export type Recipient = {
  kind: RecipientKind;
  id: number;
  /** As they typed it, for staff; null where nobody was named. */
  name: string | null;
  /** The name if it can stand in an email. */
  called: string | null;
  email: string | null;
  /** Of the enrolment, or of the place on the waiting list. */
  reference: string;
  /** The subject of the mail in the database. */
  about: { kind: 'enrolment' | 'waiting-entry'; id: number };
  /** The name of their private link in mails. */
  link: string;
  /** Why nothing can be sent to them; null when it can. */
  leftOut: LeftOut | null;
};

export type LeftOut = 'no-address' | 'not-to-tell' | 'erased' | 'bounced' | 'same-address' | 'no-consent' | 'gone';

/**
 * Who is in these parts of a course date: those with a place, who bought one, who waits. One email goes to one address:
 * an attendee's comes before a buyer's, and that before one of the waiting list.
 */
export async function recipientsOf(
  db: Db,
  sessionId: number,
  { to, only }: { to: readonly Audience[]; only?: { kind: string; id: number } },
): Promise<Recipient[]> {
  const wanted = (await candidatesOf(db, [sessionId])).filter(({ audience }) => to.includes(audience));
  const asked = only ? wanted.filter(({ kind, id }) => kind === only.kind && id === only.id) : wanted;
  return screened(db, asked);
}

/** Somebody who may get a message, before it is known whether they can. */
export type Candidate = Omit<Recipient, 'called' | 'leftOut'> & { audience: Audience; told: boolean };

/**
 * Says of each whether an email can go there. One email goes to one address, the first that is named; with `apart` one
 * for each value that it gives.
 */
export async function screened<One extends Candidate>(
  db: Db,
  candidates: readonly One[],
  apart: (one: One) => string | number = () => '',
): Promise<(One & Pick<Recipient, 'called' | 'leftOut'>)[]> {
  const bounced = await bouncedAmong(
    db,
    candidates.flatMap(({ email }) => email ?? []),
  );
  const seen = new Set<string>();
  const leftOutOf = (one: One): LeftOut | null => {
    const { email, told } = one;
    const address = email?.toLowerCase() ?? null;
    if (address === null) return 'no-address';
    if (isErased(address)) return 'erased';
    if (!told) return 'not-to-tell';
    const once = `${address} ${apart(one)}`;
    if (seen.has(once)) return 'same-address';
    seen.add(once);
    return bounced.has(address) ? 'bounced' : null;
  };
  return candidates.map((one) => ({
    ...one,
    called: one.name && nameForOthers(one.name),
    leftOut: leftOutOf(one),
  }));
}

/** Somebody in one of several course dates. */
export type DateCandidate = Candidate & { sessionId: number };

/** The people of these course dates, once for each date: attendees, then buyers, then the waiting list. */
export async function candidatesOf(db: Db, sessionIds: readonly number[]): Promise<DateCandidate[]> {
  const places = await db
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .select(['attendee_id', 'attendees.name', 'attendees.email', 'told', 'reference'])
    .select(['enrolments.id as enrolment', 'buyer_name', 'enrolments.email as buyer_email'])
    .select('training_session_id as session')
    .$narrowType<{ session: number }>()
    .where('training_session_id', 'in', [0, ...sessionIds])
    .where('places.state', '<>', 'cancelled')
    .orderBy('places.id')
    .execute();
  const waiting = await db
    .selectFrom('waiting_entries')
    .select(['id', 'name', 'email', 'reference', 'training_session_id as session'])
    .$narrowType<{ session: number }>()
    .where('training_session_id', 'in', [0, ...sessionIds])
    .where('closed_at', 'is', null)
    .where((eb) => eb.or([eb('confirmed_at', 'is not', null), eb('enrolment_id', 'is not', null)]))
    .orderBy('id')
    .execute();
  const buyers = new Map(places.map((place) => [`${place.enrolment} ${place.session}`, place]));
  return [
    ...places.map(({ attendee_id: id, name, email, told, reference, enrolment, session: sessionId }): DateCandidate => {
      const about = { kind: 'enrolment', id: enrolment } as const;
      const link = placeLink(enrolment, id);
      return { audience: 'attendees', kind: 'attendee', id, name, email, told, reference, about, link, sessionId };
    }),
    ...[...buyers.values()].map(({ enrolment: id, ...row }): DateCandidate => {
      const { buyer_name: name, buyer_email: email, reference, session: sessionId } = row;
      const about = { kind: 'enrolment', id } as const;
      const link = enrolmentLink(id);
      return { audience: 'buyers', kind: 'enrolment', id, name, email, told: true, reference, about, link, sessionId };
    }),
    ...waiting.map(({ id, name, email, reference, session: sessionId }): DateCandidate => {
      const about = { kind: 'waiting-entry', id } as const;
      const link = waitingLink(id);
      const [audience, kind] = ['waiting', 'waiting-entry'] as const;
      return { audience, kind, id, name, email, told: true, reference, about, link, sessionId };
    }),
  ];
}

/** The addresses to which the last email failed. */
export async function bouncedAmong(db: Db, addresses: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ recipient: string }>`
    select recipient from (
      select distinct on (lower(recipient)) lower(recipient) as recipient, state from mails
      where lower(recipient) = any(${[...new Set(addresses.map((one) => one.toLowerCase()))]}::text[])
        and state in ('sent', 'failed')
      order by lower(recipient), settled_at desc) as latest
    where state = 'failed'`.execute(db);
  return new Set(rows.map(({ recipient }) => recipient));
}
