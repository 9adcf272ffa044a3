import { findTerms } from '#app/features/catalogue/site/terms.server.ts';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { Prose } from '#app/ui/prose.tsx';
import type { Route } from './+types/terms';
import { ActPage, Away } from './frame.tsx';
import { loadForBuyer } from './private-page.server.ts';

/** The text of the terms that the buyer accepted, word for word (P28). */
export function loader({ context, params: { token } }: Route.LoaderArgs) {
  return loadForBuyer(context, token, async (trx, { reference, termsId }) => ({
    reference,
    html: renderMarkdown((await findTerms(trx, termsId)) ?? ''),
  }));
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(at, 'The terms you accepted', 'The text of the terms of your enrolment.', noPage);

export default function AcceptedTerms({ loaderData, params: { token } }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { reference, html } = loaderData;
  return (
    <ActPage title="The terms you accepted" lead={`Enrolment ${reference}`} token={token}>
      <Prose html={html} />
    </ActPage>
  );
}
