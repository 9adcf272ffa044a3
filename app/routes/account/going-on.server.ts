import type { showBowerOf } from '#app/features/bower/view.server.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { Day } from '#app/lib/dates.ts';
import type { AccountRecords } from './account-page.server.ts';
import type { ShownCourse } from './course-row.tsx';
import { nextQuest } from './next-quest.ts';
import type { GoingOn } from './without-class.tsx';

type AsOf = { courses: readonly ShownCourse[]; bower: Awaited<ReturnType<typeof showBowerOf>>; today: Day };

/** The suggestions for a player without a class ahead (P56). */
export function goingOnWith(
  { attended, bought, offers }: AccountRecords,
  { courses, bower, today }: AsOf,
  catalogue: Pick<Snapshot, 'byId' | 'bySlug' | 'questLines'>,
): GoingOn {
  if (attended.length === 0 && bought.length === 0 && offers.length === 0) return { kind: 'new' };
  const open = attended.find(
    ({ place: { id, guidedFrom } }) =>
      guidedFrom !== null &&
      guidedFrom <= today &&
      !isAccessOver(guidedFrom, today) &&
      courses.some((course) => course.id === id),
  );
  const study = courses.find(({ id }) => id === open?.place.id);
  if (study) return { kind: 'guided', course: { title: study.title, asks: study.asks, page: study.page } };
  const finished = bower.shelf.toSorted((a, b) => a.issued - b.issued);
  const last = finished.at(-1);
  if (!last || courses.length > 0) return { kind: 'waits' };
  const quest = nextQuest(
    catalogue,
    finished.map(({ slug }) => slug),
  );
  return { kind: 'finished', title: last.title, number: last.number, quest };
}
