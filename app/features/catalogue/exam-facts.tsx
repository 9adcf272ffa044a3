import type { ExamStanding } from './rules.ts';

export type ExamFact = ExamStanding & { code: string; title: string; body: string };

/** The outside exams that a course prepares for, and whether they can still be sat. */
export function ExamFacts({ exams }: { exams: ExamFact[] }) {
  return (
    <ul aria-label="Outside exams" className="mt-5 grid max-w-prose gap-3">
      {exams.map(({ code, title, body, standing, text }) => (
        <li key={code} className="rounded-card border border-line bg-card px-5 py-4">
          <p className="font-bold">{title}</p>
          <p className="text-mute">{title === code || title.includes(`(${code})`) ? body : `${body}, ${code}`}</p>
          <p
            className={
              standing === 'retired' || standing === 'closing' ? 'mt-1 font-bold text-fault' : 'mt-1 text-mute'
            }
          >
            {text}
          </p>
        </li>
      ))}
    </ul>
  );
}
