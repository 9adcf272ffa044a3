import type { Certification } from '#app/features/catalogue/catalogue.ts';
import { examOutline } from '#app/features/catalogue/exam-outline.ts';
import { Icon } from '#app/ui/icon.tsx';
import type { IconName } from '#app/ui/icons.ts';
import { Straws } from '#app/ui/straws.tsx';
import { Unbroken } from '#app/ui/unbroken.tsx';

/** The icons of the facts that most exams have; others get a gem. */
export const factIcons: Readonly<Record<string, IconName>> = {
  'Exam code': 'scroll',
  Outline: 'magnifier',
  Format: 'terminal',
  Length: 'compass',
  'Pass mark': 'flag',
  'Where to sit it': 'eye',
  'Experience required': 'crown',
  'How to keep it valid': 'key',
};

/** The facts of an exam. */
export function ExamAsks({ exam }: { exam: Certification['exam'] }) {
  return (
    <dl className="mt-6 grid overflow-hidden rounded-card border border-line bg-card sm:grid-cols-2 xl:grid-cols-4">
      {exam.map(({ label, value }) => (
        <div key={label} className="relative -mr-px -mb-px border-r border-b border-line py-5 pr-5 pl-15.5">
          <dt className="text-sm text-mute">
            <Icon name={factIcons[label] ?? 'gem'} className="absolute top-5 left-5 size-7 text-link" />
            {label}
          </dt>
          <dd className="mt-0.5 font-semibold">
            <Unbroken text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The domains of an exam; where their weights are known, a straw for each per cent. */
export function ExamCovers({ domains }: Pick<Certification, 'domains'>) {
  const outline = examOutline(domains);
  return (
    <>
      {outline.some(({ share }) => share !== null) && <p className="mt-3 text-mute">Each line is 1% of the exam.</p>}
      <ul className="mt-5 grid gap-x-12 gap-y-5 lg:grid-cols-2">
        {outline.map(({ name, share }) =>
          share === null ? (
            <li key={name} className="flex gap-3">
              <Icon name="gem" className="mt-0.5 size-5 shrink-0 text-link" />
              {name}
            </li>
          ) : (
            <li key={name} className="grid gap-2">
              <p className="flex justify-between gap-4">
                <span>{name}</span>
                <b className="tabular shrink-0">{share} per cent</b>
              </p>
              <Straws count={share} />
            </li>
          ),
        )}
      </ul>
    </>
  );
}
