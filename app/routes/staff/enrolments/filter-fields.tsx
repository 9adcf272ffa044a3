import { type Day, formatDay } from '#app/lib/dates.ts';
import { field, select } from '#app/ui/field.ts';
import { Options } from '#app/ui/staff/choices.tsx';
import type { Chip } from '#app/ui/staff/keyset-bar.tsx';
import { type EnrolmentView, enrolmentList, enrolmentStates, paidBy } from './enrolment-filter.ts';

type Courses = readonly (readonly [slug: string, title: string])[];

/** What a view is narrowed down to, in words; each can be taken off. */
export function chipsOf({ values }: EnrolmentView, courses: Courses): Chip<keyof typeof values>[] {
  const words: Record<keyof typeof values, (value: string) => [label: string, value: string]> = {
    state: (value) => ['Status', enrolmentStates[value as keyof typeof enrolmentStates]],
    course: (value) => ['Course', courses.find(([slug]) => slug === value)?.[1] ?? value],
    courseDate: (value) => ['Course date', value],
    paid: (value) => ['Paid by', paidBy[value as keyof typeof paidBy]],
    'enrolled-from': (value) => ['Enrolled', `${dayText(value)} or later`],
    'enrolled-until': (value) => ['Enrolled', `until ${dayText(value)}`],
    'starts-from': (value) => ['Course starts', `${dayText(value)} or later`],
    'starts-before': (value) => ['Course starts', `before ${dayText(value)}`],
  };
  return enrolmentList.names.flatMap((name) => {
    const given = values[name];
    if (given === null) return [];
    const [label, value] = words[name](given);
    return [{ name, label, value }];
  });
}

/** `22 November 2026`, without the day of the week. */
const dayText = (day: Day) => formatDay(day).replace(/^\w+ /, '');

/** The fields by which the list of enrolments is narrowed down. */
export function EnrolmentFilters({ values, courses }: Pick<EnrolmentView, 'values'> & { courses: Courses }) {
  const day = (name: 'enrolled-from' | 'enrolled-until' | 'starts-from' | 'starts-before', label: string) => (
    <label>
      {label}
      <input type="date" name={name} defaultValue={values[name] ?? ''} className={field} />
    </label>
  );
  return (
    <>
      <label>
        Status
        <select name="state" defaultValue={values.state ?? ''} className={select}>
          <Options none="Every status" of={Object.entries(enrolmentStates)} />
        </select>
      </label>
      <label>
        Course
        <select name="course" defaultValue={values.course ?? ''} className={select}>
          <Options none="Every course" of={withChosen(courses, values.course)} />
        </select>
      </label>
      <div className="grid grid-cols-2 gap-2">
        {day('enrolled-from', 'Enrolled from')}
        {day('enrolled-until', 'Enrolled until')}
        {day('starts-from', 'Starts from')}
        {day('starts-before', 'Starts before')}
      </div>
      <label>
        Paid by
        <select name="paid" defaultValue={values.paid ?? ''} className={select}>
          <Options none="Anything" of={Object.entries(paidBy)} />
        </select>
      </label>
      {values.courseDate && <input type="hidden" name="courseDate" value={values.courseDate} />}
    </>
  );
}

/** A former slug, or that of a course that is not on offer any more, stays chosen when the form is sent again. */
const withChosen = (courses: readonly (readonly [string, string])[], course: string | null) =>
  course === null || courses.some(([slug]) => slug === course) ? courses : [[course, course] as const, ...courses];
