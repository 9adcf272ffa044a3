import type { TimelineEntry } from '#app/ui/staff/timeline.tsx';

/** Something that happened at an instant; sorted and put in words of days by `byDay`. */
export type Dated = Omit<TimelineEntry, 'time'> & { at: Date };
