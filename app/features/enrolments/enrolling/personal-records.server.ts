import { sql } from 'kysely';
import type { Db } from '#app/db/client.server.ts';
import type { HeldPerson, PersonalRecords } from '#app/db/personal-records.server.ts';
import type { FormValues } from '#app/ui/form-state.ts';
import { draftTables } from './drafts.server.ts';

type Typed = Record<string, FormValues>;

/**
 * Drafts of enrolments (P58). The person who confirmed a draft's address owns all of it. Other people own what was
 * typed about them: as the buyer, an attendee or a guardian. Erasing deletes the drafts of a buyer, and removes a
 * person from drafts that somebody else still fills in.
 */
export const draftRecords: PersonalRecords = {
  name: 'enrolment drafts',
  tables: draftTables,
  async read(db, person) {
    const rows = await db
      .selectFrom('enrolment_drafts')
      .select(['typed', 'confirmed_email', 'created_at', 'changed_at'])
      .where(names(person))
      .orderBy('id')
      .execute();
    return rows.map(({ typed, confirmed_email, ...at }) => {
      if (isTheirs(person, confirmed_email)) return { typed, confirmed_email, ...at };
      return { typed: divided(typed as Typed, person).about, ...at };
    });
  },
  async erase(trx, person) {
    const { numDeletedRows } = await trx
      .deleteFrom('enrolment_drafts')
      .where(isBuyer(person))
      .executeTakeFirstOrThrow();
    const others = await trx
      .selectFrom('enrolment_drafts')
      .select(['id', 'typed'])
      .where(names(person))
      .forUpdate()
      .execute();
    for (const { id, typed } of others) {
      const { rest } = divided(typed as Typed, person);
      await trx
        .updateTable('enrolment_drafts')
        .set({ typed: JSON.stringify(rest) })
        .where('id', '=', id)
        .execute();
    }
    return { count: Number(numDeletedRows) + others.length };
  },
};

const isTheirs = ({ addresses }: HeldPerson, text: string | null | undefined) =>
  text !== null && text !== undefined && addresses.includes(text.trim().toLowerCase());

/** The typed values of a draft, divided into those about a person and the rest. */
function divided(typed: Typed, person: HeldPerson): { about: Typed; rest: Typed } {
  const [about, rest]: [Typed, Typed] = [{}, {}];
  for (const [step, fields] of Object.entries(typed)) {
    for (const [name, text] of Object.entries(fields)) {
      const part = isAbout(name, fields, person) ? about : rest;
      part[step] = { ...part[step], [name]: text };
    }
  }
  return { about, rest };
}

/** Whether a field of a step is about a person. Fields of the second attendee end in `-2`. */
function isAbout(name: string, fields: FormValues, person: HeldPerson): boolean {
  const has = (field: string) => isTheirs(person, fields[field]);
  if (has(name)) return true;
  const [, field = name, number] = /^(.*)-(\d+)$/.exec(name) ?? [];
  if (number === undefined) return has('email') || (name === 'approverName' && has('approverEmail'));
  const isAttendee = has(`email-${number}`) || (number === '1' && fields.self === 'on' && has('email'));
  return isAttendee || (field.startsWith('guardian') && has(`guardianEmail-${number}`));
}

/** Drafts whose buyer's address is one of the person's: the confirmed one, one that got a code, or the one typed. */
const isBuyer = ({ addresses }: HeldPerson) => sql<boolean>`(
  lower(confirmed_email) = any(${addresses}::text[])
  or exists (select from email_codes where draft_id = enrolment_drafts.id and lower(email) = any(${addresses}::text[]))
  or lower(trim(typed->'payer'->>'email')) = any(${addresses}::text[]))`;

const names = (person: HeldPerson) => sql<boolean>`(${isBuyer(person)}
  or exists (select from jsonb_each(typed) step, jsonb_each_text(step.value) field
    where lower(trim(field.value)) = any(${person.addresses}::text[])))`;

/** Erases the codes for offers and claims that were mailed to addresses. */
export const eraseOfferCodes = (trx: Db, addresses: readonly string[]) =>
  trx
    .deleteFrom('email_codes')
    .where('draft_id', 'is', null)
    .where('email', 'in', ['', ...addresses])
    .executeTakeFirstOrThrow();
