import { sql } from 'kysely';
import { z } from 'zod';
import type { Db, Trx } from '#app/db/client.server.ts';
import { moduleAsked } from '#app/emails/module-asked.ts';
import { readHolidays } from '#app/features/money/parties.server.ts';
import { onlyCourseDatesOf, type StaffActor } from '#app/features/people/actor.ts';
import type { Moment } from '#app/http/academy.server.ts';
import { academyDay } from '#app/lib/academy-day.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import { promisedAnswerBy } from '#app/lib/promised-answer.ts';
import { queueMail } from '#app/outbox/queue-mail.server.ts';

/** A module without a text that learners opened, for its instructor to hand out (P105). */
export type AskedModule = {
  course: string;
  courseTitle: string;
  instructorSlug: string;
  instructor: string;
  /** As the curriculum has it now. */
  number: number;
  title: string;
  /** When the first of them opened it. */
  askedAt: Date;
  learners: number;
  /** The day that the first of them was promised. */
  by: Day;
};

type Request = { placeId: number; module: number };

/** The day until whose end an instructor hands out a module that was asked for: the next business day (P105). */
export const handedOutBy = (askedAt: Date, holidays: ReadonlySet<Day>): Day =>
  academyDay(promisedAnswerBy(askedAt, holidays));

/** Asks for a module and mails its instructor, unless somebody else waits for the same one. A repeat changes nothing. */
export async function askForModule(trx: Trx, { placeId, module }: Request, moment: Moment): Promise<void> {
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
