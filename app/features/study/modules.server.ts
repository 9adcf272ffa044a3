import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#app/db/client.server.ts';
import { moduleAsked, moduleHandedOut } from '#app/emails/study.ts';

import { makeRecord } from '#app/features/content/drafts.server.ts';
import { moduleKey } from '#app/features/content/module-schema.ts';
import { publishRevision } from '#app/features/content/publish.server.ts';
import { currentOf } from '#app/features/content/records.ts';
import { findRecord, listRevisions } from '#app/features/content/revisions.server.ts';
import { placeLink } from '#app/features/enrolments/links.server.ts';
import { lockEnrolment, type Meanwhile } from '#app/features/enrolments/lock-enrolment.server.ts';
import { isOverdue } from '#app/features/money/accounts.server.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import { readHolidays } from '#app/features/money/invoices.server.ts';
import { onlyCourseDatesOf, requirePermission, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { eachItem } from '#app/jobs/each-item.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { NotPermitted } from '#app/lib/not-permitted.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { placeholderOf } from '#app/outbox/mail.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';
import { readModuleText } from './module-text.server.ts';

/** A module of guided study that somebody opens; `early` says that they agreed to start before their Monday. */
export type Opening = { enrolmentId: number; attendeeId: number; placeId: number; module: number; early: boolean };

export type NotOpened =
  | Meanwhile
  /** No such module in a place of this attendee, or the place was cancelled. */
  | { ok: false; reason: 'no-module' }
  | { ok: false; reason: 'access-over' }
  /** The Monday is still to come: opening it starts the study today, which the attendee has to agree to (P40). */
  | { ok: false; reason: 'begins-later' }
  /** An invoice of the enrolment is overdue (P105). */
  | { ok: false; reason: 'overdue' };

/**
 * Opens a module of an attendee's guided study, which lowers what comes back on cancelling (P100). One without a text is
 * asked for instead and lowers nothing (P105). A repeat is answered the same way and changes nothing.
 */
export async function openModule(
  trx: Trx,
  { enrolmentId, attendeeId, placeId, module, early }: Opening,
  moment: Moment,
): Promise<{ ok: true; asked: boolean } | NotOpened> {
  const { today, now } = moment;
  // Locked, so that a cancellation at the same moment counts this module.
  const locked = await lockEnrolment(trx, enrolmentId, now);
  if (!locked.ok) return locked;
  const place = locked.enrolment.places.find(({ id, attendee }) => id === placeId && attendee.id === attendeeId);
  const wanted = place?.modules.find(({ number }) => number === module);
  if (place?.way !== 'guided' || place.state === 'cancelled' || !wanted) return { ok: false, reason: 'no-module' };
  if (wanted.openedAt) return { ok: true, asked: false };
  if (place.state === 'completed' || isAccessOver(place.guidedFrom, today)) return { ok: false, reason: 'access-over' };
  const begun = today >= place.guidedFrom || place.modules.some(({ openedAt }) => openedAt !== null);
  if (!begun && !early) return { ok: false, reason: 'begins-later' };
  if (await isOverdue(trx, enrolmentId, today)) return { ok: false, reason: 'overdue' };
  const titles = place.modules.map(({ title }) => title);
  const text = await readModuleText(trx, { courseId: place.courseId, number: module, titles });
  if (text === null) {
    await askForModule(trx, { placeId, module }, moment);
    return { ok: true, asked: true };
  }
  await trx.insertInto('module_openings').values({ place_id: placeId, module, opened_at: now }).execute();
  return { ok: true, asked: false };
}

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
 * Opens the requested modules that have a text now, whoever published it, and mails their learners. A module whose
 * invoice is overdue opens once that is paid. Returns how many.
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
      // Learners who asked before their Monday agreed to start.
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

/** A module without a text that learners opened, for its instructor to hand out (P105). */
export type AskedModule = {
  course: string;
  courseTitle: string;
  instructorSlug: string;
  instructor: string;
  /** As the curriculum has it now. */
  number: number;
  title: string;
  /** The instant at which the first learner opened it. */
  askedAt: Date;
  learners: number;
  /** The day that the first learner was promised. */
  by: Day;
};

type Request = { placeId: number; module: number };

/** The day until whose end an instructor hands out a module that was asked for: the next business day (P105). */
export const handedOutBy = (askedAt: Date, holidays: ReadonlySet<Day>): Day =>
  academyDay(promisedAnswerBy(askedAt, holidays));

/** Asks for a module and mails its instructor, unless somebody else waits for the same one. A repeat changes nothing. */
async function askForModule(trx: Trx, { placeId, module }: Request, moment: Moment): Promise<void> {
  const before = await readRequests(trx);
  await trx
    .insertInto('module_requests')
    .values({ place_id: placeId, module, asked_at: moment.now })
    .onConflict((same) => same.doNothing())
    .execute();
  const asked = (await readRequests(trx)).find((one) => one.placeId === placeId && one.module === module);
  if (!asked || before.some((one) => keyOf(one) === keyOf(asked))) return;
  const { academy } = moment;
  const by = formatDay(handedOutBy(moment.now, await readHolidays(trx)));
  for (const to of await instructorEmails(trx, asked.instructorSlug, academy.email)) {
    await queueMail(trx, {
      kind: 'module-asked',
      about: 'nothing',
      to,
      replyTo: academy.email,
      ...moduleAsked({
        course: asked.courseTitle,
        module: `${asked.number}. ${asked.title}`,
        by,
        link: `${academy.url}/staff/modules/${asked.course}/${asked.number}`,
        academy,
      }),
    });
  }
}

/** The addresses of the staff who are an instructor; that of the academy where nobody is. */
async function instructorEmails(trx: Trx, slug: string, academyEmail: string): Promise<string[]> {
  const rows = await trx
    .selectFrom('staff_roles')
    .innerJoin('people', 'people.id', 'person_id')
    .select('people.email')
    .where('role', '=', 'instructor')
    .where('instructor_slug', '=', slug)
    .execute();
  const emails = rows.flatMap(({ email }) => email ?? []);
  return emails.length > 0 ? emails : [academyEmail];
}

/** The modules to hand out, the oldest request first; an instructor sees those of their own courses. */
export async function listAskedModules(db: Db, actor: StaffActor): Promise<AskedModule[]> {
  const only = onlyCourseDatesOf(actor, 'exercises:read');
  const requests = (await readRequests(db)).filter((one) => only === null || only.includes(one.instructorSlug));
  const holidays = await readHolidays(db);
  return [...Map.groupBy(requests, keyOf).values()].flatMap((same) =>
    same.slice(0, 1).map((first) => ({ ...first, learners: same.length, by: handedOutBy(first.askedAt, holidays) })),
  );
}

const keyOf = ({ course, number }: Pick<AskedModule, 'course' | 'number'>) => `${course}/${number}`;

const storedTitles = z.array(z.object({ module: z.string() })).transform((all) => all.map(({ module }) => module));

/** The requests of active places, oldest first, each with the module of today's curriculum that it is for. */
async function readRequests(db: Db): Promise<(Omit<AskedModule, 'learners' | 'by'> & Request)[]> {
  const rows = await db
    .selectFrom('module_requests')
    .innerJoin('places', 'places.id', 'place_id')
    .innerJoin('courses', 'courses.id', 'course_id')
    .leftJoin('instructors', 'instructors.slug', 'courses.instructor_slug')
    .select(['place_id', 'module', 'asked_at', 'places.modules', 'courses.slug', 'courses.title'])
    .select(['courses.instructor_slug', 'instructors.name'])
    .select(sql<unknown>`details -> 'curriculum'`.as('curriculum'))
    .where('places.state', '=', 'active')
    .orderBy('asked_at')
    .orderBy('place_id')
    .orderBy('module')
    .execute();
  return rows.map(({ place_id, module, asked_at, modules, curriculum, slug, title, instructor_slug, name }) => {
    const [sold, present] = [storedTitles.parse(modules), storedTitles.parse(curriculum)];
    const same = present.indexOf(sold[module - 1] ?? '');
    const number = same === -1 ? module : same + 1;
    return {
      placeId: place_id,
      module,
      course: slug,
      courseTitle: title,
      instructorSlug: instructor_slug,
      instructor: name ?? instructor_slug,
      number,
      title: present[number - 1] ?? sold[module - 1] ?? '',
      askedAt: asked_at,
    };
  });
}
