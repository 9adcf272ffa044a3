import { href, Link } from 'react-router';
import type { ExamFact } from './exams.ts';

/** The outside exams that a course prepares for, whether they can still be sat, and whether our exam guarantee applies. */
export function ExamFacts({ exams, guarantee }: { exams: ExamFact[]; guarantee: string }) {
  return (
    <>
      <ul aria-label="Outside exams" className="grid max-w-prose gap-3">
        {exams.map(({ code, title, body, standing, text }) => (
          <li key={code} className="rounded-card border border-line bg-card px-5 py-4">
            <p className="font-bold">{title}</p>
            <p className="text-mute">{title.includes(code) ? body : `${body}, ${code}`}</p>
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
      <p className="mt-4 max-w-prose">
        {guarantee}{' '}
        <Link to={href('/terms')} className="font-bold text-link underline underline-offset-4">
          terms
        </Link>
        .
      </p>
    </>
  );
}
