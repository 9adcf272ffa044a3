import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { createContext } from 'react-router';
import type { Db } from '#app/db/client.server.ts';
import { mailboxOf } from '#app/lib/mailbox.ts';
import { hashOfToken, makeToken } from '#app/lib/private-token.server.ts';
import { placeholderOf } from './mail.ts';

/** The target of a private link: one of these, or an enrolment with its attendee. */
type Target = {
  booking_id?: number;
  conversation_id?: number;
  waiting_entry_id?: number;
  enrolment_draft_id?: number;
  offer_id?: number;
  employer_request_id?: number;
  enrolment_id?: number;
  attendee_id?: number | null;
};

/** Makes a further private link and returns its token; only its hash is stored. */
export async function makeLink(trx: Db, target: Target, token = makeToken()): Promise<string> {
  await trx
    .insertInto('private_links')
    .values({ token_hash: hashOfToken(token), ...target })
    .execute();
  return token;
}

/** Makes a further private link for a person who has one; if that ends with a sign-in, so does this. */
export async function makeLinkLike(trx: Db, token: string, target: Target): Promise<string> {
  const link = trx.selectFrom('private_links').select('sign_in_id').where('token_hash', '=', hashOfToken(token));
  const made = makeToken();
  const { sign_in_id } = await link.executeTakeFirstOrThrow();
  await trx
    .insertInto('private_links')
    .values({ token_hash: hashOfToken(made), sign_in_id, ...target })
    .execute();
  return made;
}

/**
 * The target of a token, as the columns of its row; undefined when it has none (any more). A link of an account leads
 * only to what is its player's now: not to an enrolment whose buyer was corrected, nor to a place that was given to
 * somebody else. An enrolment is also its organisation's managers' (P116): `manager_id` is the person, when the link is
 * of one who is not its buyer.
 */
export const findTarget = (db: Db, token: string) =>
  db
    .selectFrom('private_links as link')
    .leftJoin('sign_ins as sign_in', 'sign_in.id', 'link.sign_in_id')
    .leftJoin('enrolments as its', 'its.id', 'link.enrolment_id')
    .select(['link.booking_id', 'link.conversation_id', 'link.waiting_entry_id', 'link.enrolment_draft_id'])
    .select(['link.enrolment_id', 'link.attendee_id', 'link.offer_id', 'link.employer_request_id'])
    .select(
      sql<number | null>`case when link.attendee_id is null and its.person_id is distinct from sign_in.person_id
        then sign_in.person_id end`.as('manager_id'),
    )
    .where('link.token_hash', '=', hashOfToken(token))
    .where(
      sql<boolean>`(link.sign_in_id is null or case
        when link.attendee_id is not null
          then sign_in.person_id = (select person_id from attendees where id = link.attendee_id)
        when link.enrolment_id is not null then its.person_id = sign_in.person_id or exists (
          select from organisation_managers manager where manager.organisation_id = its.organisation_id
            and manager.person_id = sign_in.person_id and ended_at is null)
        when link.waiting_entry_id is not null
          then sign_in.person_id = (select person_id from waiting_entries where id = link.waiting_entry_id) end)`,
    )
    .executeTakeFirst();

/** The private pages to which an account leads. */
export type AccountTarget = { enrolmentId: number; attendeeId?: number } | { waitingEntryId: number };

/**
 * The tokens by which the account of a signed-in player leads to private pages (P56), in the order of `targets`. The
 * same sign-in has the same tokens, and they end with it. Whose pages they are is the caller's to know, and looked at
 * again whenever one is opened.
 */
export async function accountTokens(
  db: Db,
  { signInId, secret }: { signInId: number; secret: string },
  targets: readonly AccountTarget[],
): Promise<string[]> {
  const rows = targets.map((target) => {
    const columns =
      'waitingEntryId' in target
        ? { waiting_entry_id: target.waitingEntryId }
        : { enrolment_id: target.enrolmentId, attendee_id: target.attendeeId ?? null };
    const named = `account-link:${signInId}:${JSON.stringify(columns)}`;
    return { columns, token: createHmac('sha256', secret).update(named).digest('hex').slice(0, 48) };
  });
  if (rows.length === 0) return [];
  await db
    .insertInto('private_links')
    .values(rows.map(({ columns, token }) => ({ token_hash: hashOfToken(token), sign_in_id: signInId, ...columns })))
    .onConflict((conflict) => conflict.column('token_hash').doNothing())
    .execute();
  return rows.map(({ token }) => token);
}

/** Whether something of this address concerns the recipient of a mail; without an address it concerns nobody. */
export const isOf = (email: string | null | undefined, recipient: string): boolean =>
  typeof email === 'string' && mailboxOf(email) === mailboxOf(recipient);

/** A kind of thing that a mail names and each attempt fills in, such as a link to a booking. `ids` are of its name. */
export type Filling = {
  /** Whether its subject exists and still belongs to the recipient: nobody gets a link to another person's page. */
  concerns(db: Db, ids: readonly number[], recipient: string): Promise<boolean>;
  /** Makes it; a link is whole, with the public origin. */
  make(trx: Db, ids: readonly number[], origin: string): Promise<string>;
};

/**
 * The things that mails name instead of holding them, private links above all. A link is made for each attempt, and the
 * database has its token only as a hash.
 */
export type PrivateLinks = {
  /** Whether everything a mail names can be filled in for its recipient. */
  lead(db: Db, mail: Named): Promise<boolean>;
  /** Makes everything a mail names, by name; null when something is gone or concerns somebody else by now. */
  make(trx: Db, mail: Named): Promise<Filled | null>;
  /** Ends the links of an attempt that was surely not handed over. */
  end(trx: Db, filled: Filled): Promise<void>;
};

/** The recipient of a mail, and the links it names. */
type Named = { recipient: string; links: readonly string[] };
export type Filled = ReadonlyMap<string, string>;

/** For pages that send mail again or show it. */
export const privateLinksContext = createContext<PrivateLinks>();

/** Private links of these kinds, under a public origin. */
export function privateLinks(kinds: Readonly<Record<string, Filling>>, origin: string): PrivateLinks {
  const kindOf = (name: string) => {
    const [kind = '', ...ids] = name.split(':');
    const filling = Object.hasOwn(kinds, kind) ? kinds[kind] : undefined;
    if (!filling) throw new Error(`a mail names ${name}, of which there is no kind`);
    return { filling, ids: ids.map(Number) };
  };
  const lead: PrivateLinks['lead'] = async (db, { recipient, links }) => {
    for (const name of links) {
      const { filling, ids } = kindOf(name);
      if (!(await filling.concerns(db, ids, recipient))) return false;
    }
    return true;
  };
  return {
    lead,
    async make(trx, mail) {
      if (!(await lead(trx, mail))) return null;
      const filled = new Map<string, string>();
      for (const name of mail.links) {
        const { filling, ids } = kindOf(name);
        filled.set(name, await filling.make(trx, ids, origin));
      }
      return filled;
    },
    async end(trx, filled) {
      const hashes = [...filled.values()].map((made) => hashOfToken(tokenOf(made)));
      if (hashes.length > 0) await trx.deleteFrom('private_links').where('token_hash', 'in', hashes).execute();
    },
  };
}

/** The token at the end of a link. */
const tokenOf = (link: string): string => link.slice(link.lastIndexOf('/') + 1);

/** The text of a mail with its placeholders filled in; typed text that looks like a placeholder stays unchanged. */
export function filledIn(words: { text: string; html: string }, filled: Filled): { text: string; html: string } {
  let { text, html } = words;
  for (const [name, made] of filled) {
    text = text.replaceAll(placeholderOf(name), () => made);
    html = html.replaceAll(placeholderOf(name), () => escaped(made));
  }
  return { text, html };
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Ends the private links of attendees, of a waiting entry, or of an enrolment: all of them, or only the buyer's. */
export async function endLinks(
  trx: Db,
  of: { attendeeIds: readonly number[] } | { waitingEntryId: number } | { enrolmentId: number; buyerOnly?: boolean },
): Promise<void> {
  const links = trx.deleteFrom('private_links');
  if ('attendeeIds' in of) await links.where('attendee_id', 'in', [0, ...of.attendeeIds]).execute();
  else if ('waitingEntryId' in of) await links.where('waiting_entry_id', '=', of.waitingEntryId).execute();
  else {
    const ofEnrolment = links.where('enrolment_id', '=', of.enrolmentId);
    await (of.buyerOnly ? ofEnrolment.where('attendee_id', 'is', null) : ofEnrolment).execute();
  }
}

/** Lets the private links of one attendee lead to another, who is the same person. */
export async function moveLinks(trx: Db, { from, to }: { from: number; to: number }): Promise<void> {
  await trx.updateTable('private_links').set({ attendee_id: to }).where('attendee_id', '=', from).execute();
}
