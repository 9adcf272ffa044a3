import { href } from 'react-router';
import type { AccountRecords, Attended } from '#app/features/enrolments/account.server.ts';
import { isKept } from '#app/features/enrolments/may-change.ts';
import { isAccessOver } from '#app/features/money/guided-access.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { showBowerOf } from '#app/features/study/bower/view.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import type { ShownCourse } from './course-row.tsx';
import { nextQuest } from './next-quest.ts';
import type { GoingOn, GuidedNext } from './without-class.tsx';

type Study = {
  placeId: number;
  modules: readonly { number: number; title: string; answerId: number | null; mark: { accepted: boolean } | null }[];
};
type AsOf = {
  courses: readonly ShownCourse[];
  studies: readonly Study[];
  bower: Awaited<ReturnType<typeof showBowerOf>>;
  today: Day;
};

/** The suggestions for a player without a class ahead (P56). */
export function goingOnWith(
  { attended, bought, offers }: AccountRecords,
  { courses, studies, bower, today }: AsOf,
  catalogue: Pick<Snapshot, 'byId' | 'bySlug' | 'questLines'>,
): GoingOn {
  if (attended.length === 0 && bought.length === 0 && offers.length === 0) return { kind: 'new' };
  const open = attended
    .filter(({ place: { id, guidedFrom } }) => {
      const taken = guidedFrom !== null && !isAccessOver(guidedFrom, today);
      return taken && courses.some((course) => course.id === id);
    })
    .toSorted((a, b) => Number(isUnderWay(b, today)) - Number(isUnderWay(a, today)))[0];
  const course = courses.find(({ id }) => id === open?.place.id);
  if (open && course) {
    const modules = studies.find(({ placeId }) => placeId === course.id)?.modules ?? [];
    return { kind: 'guided', study: { title: course.title, asks: course.asks, ...nextModule(open, modules, today) } };
  }
  const finished = bower.shelf.toSorted((a, b) => a.issued - b.issued);
  const last = finished.at(-1);
  if (!last || courses.length > 0) return { kind: 'waits' };
  const quest = nextQuest(
    catalogue,
    finished.map(({ slug }) => slug),
  );
  return { kind: 'finished', title: last.title, number: last.number, quest };
}

const isUnderWay = ({ place }: Pick<Attended, 'place'>, today: Day): boolean =>
  isKept(place, today) || (place.guidedFrom !== null && place.guidedFrom <= today);

/** The first module whose exercise is neither handed in nor accepted, and where one goes on with it. */
export function nextModule(
  { place, token }: Pick<Attended, 'place' | 'token'>,
  modules: Study['modules'],
  today: Day,
): Pick<GuidedNext, 'begins' | 'module' | 'act' | 'page'> {
  const page = href('/place/:token', { token });
  const begins = isUnderWay({ place }, today) || place.guidedFrom === null ? null : formatDay(place.guidedFrom);
  const next = modules.find(({ answerId, mark }) => answerId === null || mark?.accepted === false);
  if (!next) return { begins, module: null, act: 'Go to your modules', page };
  const { number, title } = next;
  const module = `Module ${number}: ${title}`;
  const opened = place.modules.some((one) => one.number === number && one.openedAt !== null);
  if (!opened) return { begins, module, act: `Open module ${number}${begins ? ' early' : ''}`, page };
  const params = { token, placeId: String(place.id), module: String(number) };
  return {
    begins,
    module,
    act: `Continue module ${number}`,
    page: href('/place/:token/:placeId/module/:module', params),
  };
}
