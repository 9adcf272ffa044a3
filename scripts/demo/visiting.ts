import { countBegun } from '#app/features/catalogue/visits/reads.server.ts';
import type { Visits } from '#app/features/catalogue/visits/visits.server.ts';
import type { Sold } from './planning.ts';
import { drawFrom, type Stage, weekday } from './stage.ts';

/** Searches that find nothing: courses that the academy could teach next. */
const lookedFor = ['forklift', 'graphic design', 'first aid', 'photoshop', 'bookkeeping', 'sharepoint'];
const readsADay = 90;

/**
 * Has visitors read pages of courses and search on each day (P85). They are drawn by themselves, so that what the
 * others do is the same with and without them.
 */
export function openVisitors(stage: Stage, visits: Visits, seed: number) {
  const draw = drawFrom(seed + 1);
  const field = (name: string) =>
    ({ 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document', 'user-agent': 'Mozilla/5.0' })[name];
  const get = (route: string, target: string) =>
    visits.answered({
      ...{ method: 'GET', status: 200, route, target, field },
      network: () => `10.0.0.${draw.below(40)}`,
    });
  return {
    /** A day's visitors; some begin to enrol and do not finish. */
    async come(courses: readonly Sold[]): Promise<void> {
      const { today } = stage.moment();
      const reads = [0, 6].includes(weekday(today)) ? readsADay / 3 : readsADay;
      for (let left = reads / 2 + draw.below(reads); left > 0; left -= 1) {
        // Well-known courses are read more often.
        get('/course/:courseId', `/course/${draw.of(courses.slice(0, 1 + draw.below(courses.length))).slug}`);
      }
      for (let left = draw.below(4); left > 0; left -= 1) {
        get('/courses', `/courses?${new URLSearchParams({ search: draw.of(lookedFor) })}`);
      }
      for (let left = draw.below(3); left > 0; left -= 1) {
        const { slug } = draw.of(courses.slice(0, 30));
        await stage.transaction((trx) => countBegun(trx, today, [slug]));
      }
      await visits.store();
    },
  };
}
