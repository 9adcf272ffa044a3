import { sql } from 'kysely';
import type { Db, Trx } from '#app/db/client.server.ts';
import { moduleHandedOut } from '#app/emails/module-handed-out.ts';
import { makeRecord } from '#app/features/content/drafts.server.ts';
import { moduleKey } from '#app/features/content/module-schema.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { currentOf } from '#app/features/content/records.ts';
import { findRecord, listRevisions } from '#app/features/content/revisions.server.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import type { AskedModule } from './asked-modules.server.ts';
import { openModule } from './open-module.server.ts';

/** Whether the person teaches the course, and so hands its modules out. */
export const teaches = ({ teachesAs }: StaffActor, { instructorSlug }: Pick<AskedModule, 'instructorSlug'>): boolean =>
  teachesAs.includes(instructorSlug);

/** The record of content of a module; a new one where it has none. */
async function moduleRecordId(trx: Trx, { course, number }: Pick<AskedModule, 'course' | 'number'>) {
  const key = moduleKey({ course, number });
  const record = (await findRecord(trx, 'module', key)) ?? (await makeRecord(trx, 'module', key));
  if (!record) throw new Error(`the module ${key} has no record`);
  return record.id;
}

/**
 * Publishes the text of a module that learners asked for (P105), for them and for all who come later. Only the
 * instructor of the course does; throws `NotPermitted` for others.
 */
export async function handOutModule(
  trx: Trx,
  { asked, reading, exercise }: { asked: AskedModule; reading: string; exercise: string },
  { actor, moment }: { actor: StaffActor; moment: Moment },
): Promise<{ ok: true } | { ok: false; faults: string[] }> {
  requirePermission(actor, 'exercises:mark');
  if (!teaches(actor, asked)) throw new NotPermitted('exercises:mark');
  const { course, number, title } = asked;
  const id = await moduleRecordId(trx, asked);
  const record = { id, kind: 'module' as const, key: moduleKey(asked) };
  const base = currentOf(await listRevisions(trx, record))?.number ?? 0;
  const value = { course, number, title, body: `## Reading\n\n${reading}\n\n## Exercise\n\n${exercise}` };
  const wish = { id, base, value, author: { person: actor.person.id }, note: null };
  const published = await publishRevision(trx, wish, moment);
  if (published.ok || published.reason === 'unchanged') return { ok: true };
  if (published.reason === 'moved-on') throw new Error(`module ${record.key} has a newer revision than its newest`);
  return { ok: false, faults: published.faults };
}

/**
 * Opens the modules that were asked for and have a text now, whoever published it, and mails their learners. One whose
 * invoice is overdue opens it once that is paid. Returns how many.
 */
export async function openHandedOut(db: Db, moment: Moment): Promise<number> {
  const items = await db
    .selectFrom('module_requests')
    .innerJoin('places', 'places.id', 'place_id')
    .select(['place_id', 'module', 'enrolment_id', 'attendee_id'])
    .where('state', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('course_modules')
          .select('number')
          .whereRef('course_modules.course_id', '=', 'places.course_id')
          .where('retired_at', 'is', null)
          .where(sql<boolean>`number = module or course_modules.title = places.modules -> (module - 1) ->> 'module'`),
      ),
    )
    .orderBy('asked_at')
    .execute();
  return eachItem(
    db,
    {
      job: 'open modules handed out',
      items,
      keyOf: ({ place_id, module }) => `module:${place_id}/${module}`,
      at: moment.now,
    },
    async (trx, { place_id: placeId, module, enrolment_id: enrolmentId, attendee_id: attendeeId }) => {
      // Who asked before their Monday agreed to start.
      const opened = await openModule(trx, { enrolmentId, attendeeId, placeId, module, early: true }, moment);
      if (opened.ok && opened.asked) return false;
      if (!opened.ok && opened.reason !== 'overdue') return false;
      await trx.deleteFrom('module_requests').where('place_id', '=', placeId).where('module', '=', module).execute();
      await tellLearner(trx, { placeId, module, opened: opened.ok }, moment);
      return true;
    },
  );
}

async function tellLearner(
  trx: Trx,
  { placeId, module, opened }: { placeId: number; module: number; opened: boolean },
  { academy }: Moment,
): Promise<void> {
  const place = await trx
    .selectFrom('places')
    .innerJoin('attendees', 'attendees.id', 'attendee_id')
    .innerJoin('enrolments', 'enrolments.id', 'places.enrolment_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['places.enrolment_id', 'attendee_id', 'attendees.email', 'reference', 'courses.title'])
    .select(sql<string>`places.modules -> (${module}::integer - 1) ->> 'module'`.as('module_title'))
    .where('places.id', '=', placeId)
    .executeTakeFirstOrThrow();
  if (place.email === null) return;
  const link = placeLink(place.enrolment_id, place.attendee_id);
  await queueMail(trx, {
    kind: 'module-handed-out',
    about: { kind: 'enrolment', id: place.enrolment_id },
    to: place.email,
    replyTo: academy.email,
    links: [link],
    ...moduleHandedOut({
      reference: place.reference,
      course: place.title,
      module: `${module}. ${place.module_title}`,
      opened,
      link: placeholderOf(link),
      academy,
    }),
  });
}
