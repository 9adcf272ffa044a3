import { data, href, Link } from 'react-router';
import { CertificateSheet, TreasureHollow } from '#app/features/study/certificates/certificate-sheet.tsx';
import { numberOf } from '#app/features/study/certificates/number.ts';
import { type Check, type PublicView, publicView } from '#app/features/study/certificates/public-view.server.ts';
import { lastOf, lookUp } from '#app/features/study/certificates/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext, clientAddressContext } from '#app/http/context.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import { Sign } from '#app/ui/sign.tsx';
import type { Route } from './+types/certificate';
import { longestTyped, NumberForm } from './number-form.tsx';
import { checkSignature } from './signature.server.ts';

/** The public page of a certificate (P65), the same for every visitor. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const academy = context.get(academyContext);
  const typed = params.number;
  return readOrInstead({ is: 'away', typed } as const, async () => {
    const found = await lookUp(academy, typed, context.get(clientAddressContext));
    if (!found.ok) return data({ is: 'limited', typed } as const, { status: 429, headers: { 'Retry-After': '600' } });
    if (!found.certificate) {
      return data({ is: numberOf(typed) ? 'unknown' : 'misspelt', typed } as const, { status: 404 });
    }
    const signature = await checkSignature(context, found.certificate);
    const { email, phone } = academy.academy();
    const view = publicView(
      found.certificate,
      await lastOf(academy.db, found.certificate),
      context.get(baseUrlContext),
      signature,
    );
    return data({ is: 'known', view, badge: signature.badge, email, phone } as const);
  });
}

export function headers() {
  return { 'Cache-Control': 'no-cache', 'X-Robots-Tag': 'noindex' };
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'A certificate', 'Whether we issued this certificate, and whether it still holds.', noPage);

const heads = {
  unknown: {
    title: 'No certificate has this number',
    lead: 'We have not issued a certificate with this number. Compare it with the certificate.',
  },
  misspelt: {
    title: 'No certificate has this number',
    lead: 'This number is mistyped. Please check it against the certificate.',
  },
  limited: {
    title: 'Too many numbers at once',
    lead: 'Somebody at your network address checked many numbers in the last minutes. Please try again in ten minutes, or call us.',
  },
  away: {
    title: 'We cannot look this up right now',
    lead: 'Our system is not available. This does not mean that the certificate is invalid. Please try again in a few minutes.',
  },
};

export default function CertificatePage({ loaderData }: Route.ComponentProps) {
  if (loaderData.is !== 'known') {
    return (
      <>
        <PageHead {...heads[loaderData.is]} />
        <div className="page py-10 lg:py-14">
          <NumberForm typed={loaderData.typed.slice(0, longestTyped)} />
        </div>
      </>
    );
  }
  const { view, badge, email, phone } = loaderData;
  const { shownNumber, verdict, lead, supersededBy, sheet, hollow } = view;
  return (
    <div className="page grid grid-cols-[minmax(0,1fr)] gap-x-24 gap-y-12 pt-10 pb-14 lg:grid-cols-[minmax(0,1fr)_27.5rem] lg:pt-18 lg:pb-22">
      <div className="min-w-0">
        <p className="tabular text-mute">Certificate {shownNumber}</p>
        <h1 className="mt-2 text-[2.375rem] leading-[1.1] text-balance wrap-anywhere lg:text-5xl">{verdict}</h1>
        <p className="mt-4 max-w-[34em] text-lg lg:text-xl lg:leading-8">{lead}</p>
        {supersededBy && (
          <p className="mt-3">
            <Link to={href('/certificates/:number', { number: supersededBy })} className={textLink}>
              See the certificate that takes its place
            </Link>
          </p>
        )}
        <Checks checks={view.checks} />
        <h2 className="mt-14 mb-3 text-[1.625rem]">{sheet ? 'What it certifies' : 'What it certified'}</h2>
        <ViewFacts view={view} />
        <h2 className="mt-14 mb-3 text-[1.625rem]">{badge.ok ? 'Verify elsewhere' : 'Digital badge'}</h2>
        {badge.ok ? (
          <>
            <p className="max-w-[40em]">
              It is also an Open Badge 3.0 with our signature inside. Any verifier can check it without asking us.
            </p>
            <p className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
              {badge.links.map(({ to, text }) => (
                <a key={to} href={to} className={textLink}>
                  {text}
                </a>
              ))}
            </p>
          </>
        ) : (
          <p className="max-w-[40em]">{badge.why}</p>
        )}
        {!sheet && (
          <p className="mt-8">
            Questions?{' '}
            <a href={`mailto:${email}`} className={textLink}>
              {email}
            </a>{' '}
            or {phone}.
          </p>
        )}
      </div>
      <aside aria-label="The certificate">
        {sheet ? <CertificateSheet {...sheet} /> : <TreasureHollow paths={hollow} />}
        {sheet && (
          <p className="mt-4 text-sm text-mute">
            {view.showsName
              ? 'The holder chose to show the name.'
              : 'The holder has not chosen to show the name. Ask them for the certificate itself.'}
          </p>
        )}
      </aside>
    </div>
  );
}

const textLink = 'font-bold text-link underline underline-offset-4';

/** The checks of a certificate: a sign for each, with words beside it. */
function Checks({ checks }: { checks: readonly Check[] }) {
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
function ViewFacts({ view }: { view: PublicView }) {
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
