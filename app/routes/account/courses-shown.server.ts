import { href } from 'react-router';
import type { AccountRecords } from '#app/features/enrolments/account.server.ts';
import { isKept } from '#app/features/enrolments/may-change.ts';
import { accessEndsOn } from '#app/features/money/guided-access.ts';
import type { Snapshot } from '#app/features/snapshot/snapshot.ts';
import type { showBowerOf } from '#app/features/study/bower/view.server.ts';
import { requirementsInShort, requirementsOf } from '#app/features/study/requirements.ts';
import type { Study } from '#app/features/study/study.server.ts';
import { type Day, formatDay } from '#app/lib/dates.ts';
import type { ShownCourse } from './course-row.tsx';

type Records = { bower: Awaited<ReturnType<typeof showBowerOf>>; studies: readonly Study[]; today: Day };

/** The courses under way of an account, with what their certificates ask for yet (P56, P61). */
export function coursesShown(
  { attended }: AccountRecords,
  { bower, studies, today }: Records,
  { bySlug, aliases }: Pick<Snapshot, 'bySlug' | 'aliases'>,
): ShownCourse[] {
  return attended.flatMap(({ place, token }): ShownCourse[] => {
    const record = bower.records.places.find(({ placeId }) => placeId === place.id);
    if (record?.state !== 'running' || place.state === 'cancelled') return [];
    const slug = aliases.get(record.courseSlug) ?? record.courseSlug;
    const study = studies.find(({ placeId }) => placeId === place.id);
    const asked = study && place.courseDate?.state !== 'cancelled' && study.share.of > 0;
    return [
      {
        id: place.id,
        title: place.courseTitle,
        detail: detailOf(place, today),
        begun: isKept(place, today),
        asks: asked ? requirementsInShort(requirementsOf(study, { today, issued: false })) : null,
        page: href('/place/:token', { token }),
        art: bySlug.has(slug) ? href('/art/:kind/:file', { kind: 'course', file: `${slug}.svg` }) : null,
        percent: record.percent,
        xp: record.xp,
        courseXp: record.courseXp,
      },
    ];
  });
}

function detailOf(place: AccountRecords['attended'][number]['place'], today: Day): string {
  if (place.courseDate?.state === 'cancelled') return 'We had to cancel the date.';
  if (place.way === 'date') return `From ${formatDay(place.courseDate.startsOn)}, with ${place.courseDate.instructor}.`;
  if (place.way !== 'guided') return 'No date yet.';
  return isKept(place, today) || place.guidedFrom <= today
    ? `Guided study until ${formatDay(accessEndsOn(place.guidedFrom))}.`
    : `Guided study from ${formatDay(place.guidedFrom)}.`;
}
