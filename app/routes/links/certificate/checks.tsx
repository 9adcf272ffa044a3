import { href, Link } from 'react-router';
import type { Check, PublicView } from '#app/features/certificates/public-view.server.ts';
import { Sign } from '#app/ui/sign.tsx';

/** The checks of a certificate: a sign for each, with words beside it. */
export function Checks({ checks }: { checks: readonly Check[] }) {
  return (
    <ul className="mt-8">
      {checks.map(({ holds, what, how }) => (
        <li
          key={what}
          className="grid grid-cols-[1.5rem_minmax(0,1fr)] items-center gap-x-4 border-t border-line py-3 sm:grid-cols-[1.5rem_10.5rem_minmax(0,1fr)]"
        >
          {holds === null ? (
            <span aria-hidden="true" className="text-center text-mute">
              –
            </span>
          ) : (
            <Sign name={holds ? 'check' : 'close'} className={`size-6 ${holds ? 'text-link' : 'text-fault'}`} />
          )}
          <b>{what}</b>
          <span className="tabular col-start-2 text-mute sm:col-start-3">{how}</span>
        </li>
      ))}
    </ul>
  );
}

/** The facts that a certificate states. */
export function ViewFacts({ view }: { view: PublicView }) {
  const { course, held, instructor, rule, met, notShown, recognition } = view;
  return (
    <dl className="tabular">
      <Fact name="Course">
        <Link
          to={href('/course/:courseId', { courseId: course.slug })}
          className="font-bold text-link underline underline-offset-4"
        >
          {course.title}
        </Link>
        , {course.level}
      </Fact>
      <Fact name="Held">{held}</Fact>
      {instructor && <Fact name="Instructor">{instructor}</Fact>}
      <Fact name="Rule">{rule}</Fact>
      <Fact name="Met by">{met}</Fact>
      {notShown.length > 0 && (
        <Fact name="Not the same">
          {notShown.map((one) => (
            <span key={one} className="block">
              {one}
            </span>
          ))}
        </Fact>
      )}
      <Fact name="In law">{recognition}</Fact>
    </dl>
  );
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="grid gap-x-10 py-2 sm:grid-cols-[10.5rem_minmax(0,1fr)]">
      <dt className="text-mute">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  );
}
