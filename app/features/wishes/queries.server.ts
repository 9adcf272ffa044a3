import type { Db } from '#app/db/client.server.ts';

/** A wish of a player. */
export type Wish = {
  courseId: number;
  slug: string;
  title: string;
  /** The academy no longer offers the course. */
  retired: boolean;
  /** Whether an email is asked for when it gets a date. */
  mailAsked: boolean;
};

/** A person's wishes, the latest first. */
export async function readWishes(db: Db, personId: number): Promise<Wish[]> {
  const rows = await db
    .selectFrom('wishes')
    .innerJoin('courses', 'courses.id', 'course_id')
    .select(['course_id', 'slug', 'title', 'retired_at', 'mail_asked_at'])
    .where('person_id', '=', personId)
    .orderBy('wished_at', 'desc')
    .orderBy('course_id')
    .execute();
  return rows.map(({ course_id, slug, title, retired_at, mail_asked_at }) => ({
    courseId: course_id,
    slug,
    title,
    retired: retired_at !== null,
    mailAsked: mail_asked_at !== null,
  }));
}
