import { href, redirect } from 'react-router';
import { numberOf } from '#app/features/study/certificates/number.ts';
import { pageMeta } from '#app/seo/page-meta.ts';
import { PageHead } from '#app/ui/page-head.tsx';
import type { Route } from './+types/look-up';
import { longestTyped, NumberForm } from './number-form.tsx';

/** The page to type a number, as printed certificates say. Any typed text leads to the page of that number. */
export function loader({ url }: Route.LoaderArgs) {
  const typed = url.searchParams.get('number')?.trim() ?? '';
  if (typed === '') return null;
  throw redirect(href('/certificates/:number', { number: numberOf(typed) ?? asPath(typed) }), 303);
}

/** The typed text as one part of an address, which `href` encodes; too long a text is no number anyway. */
const asPath = (typed: string) =>
  typed
    .toWellFormed()
    .slice(0, longestTyped)
    .replaceAll(/[/\\.]/g, '-');

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Check a certificate',
    'Type in the number of a certificate to see whether we issued it and whether it still holds.',
  );

export default function LookUp() {
  return (
    <>
      <PageHead
        title="Check a certificate"
        lead="Every certificate of ours has a number. Type it in to see whether we issued the certificate, and whether it still holds."
      />
      <div className="page py-10 lg:py-14">
        <NumberForm />
      </div>
    </>
  );
}
