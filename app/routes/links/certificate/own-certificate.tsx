import { data, href } from 'react-router';
import { type HolderDid, takeHolderForm } from '#app/features/study/certificates/holder.server.ts';
import { OwnCertificate } from '#app/features/study/certificates/own-certificate.tsx';
import { findByLink, ownView } from '#app/features/study/certificates/queries.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { baseUrlContext } from '#app/http/context.ts';
import { readOrInstead } from '#app/http/database-away.server.ts';
import { readForm } from '#app/http/forms.server.ts';
import { answerForm } from '#app/http/take-form.server.ts';
import { Away, noFault } from '#app/routes/links/enrolment/frame.tsx';
import { noPage, pageMeta } from '#app/seo/page-meta.ts';
import { sendForm } from '#app/ui/send-form.ts';
import type { Route } from './+types/own-certificate';
import { checkSignature } from './signature.server.ts';

/** A holder's certificate under the private link of their place. Reading it changes nothing. */
export async function loader({ context, params, url }: Route.LoaderArgs) {
  const { db } = context.get(academyContext);
  return readOrInstead(null, async () => {
    const certificate = await findByLink(db, params);
    if (!certificate) throw noLink();
    const { badge } = await checkSignature(context, certificate);
    const link = badge.ok ? badge.links[0] : undefined;
    return data({
      token: params.token,
      placeId: params.placeId,
      view: await ownView(db, certificate, context.get(baseUrlContext)),
      badge: link ? { to: link.to } : { why: badge.ok ? '' : badge.why },
      done: sentences[url.searchParams.get('done') ?? ''] ?? null,
    });
  });
}

/** For the layout's error boundary, which says what to do. */
const noLink = () => data('no-link', { status: 404 });

export async function action({ context, request, params }: Route.ActionArgs) {
  const form = await readForm(request);
  const result = await takeHolderForm(context.get(academyContext), {
    form,
    numberOf: async (trx) => (await findByLink(trx, params))?.number ?? null,
  });
  if (!result.ok && result.status === 404) throw noLink();
  return answerForm(result, ({ did }) => `${href('/place/:token/:placeId/certificate', params)}?done=${did}`);
}

const sentences: Partial<Record<string, string>> = {
  shown: 'Saved.',
  'issued-again':
    'The name is corrected. The certificate has a new number now, and anyone who looks up the old number sees that it was replaced.',
  asked: 'Thank you. We will look at the name and answer by email or phone.',
  withdrawn: 'You have withdrawn the certificate.',
} satisfies Record<HolderDid, string>;

export function clientAction({ request, serverAction }: Route.ClientActionArgs) {
  return sendForm(request, serverAction);
}

export const meta: Route.MetaFunction = (at) =>
  pageMeta(
    at,
    'Your certificate',
    'Print your certificate, and choose what people see. Keep the address of this page private.',
    noPage,
  );

export default function OwnCertificatePage({ loaderData, actionData }: Route.ComponentProps) {
  if (!loaderData) return <Away />;
  const { token, placeId, view, badge, done } = loaderData;
  return (
    <OwnCertificate
      view={view}
      form={actionData?.form ?? noFault}
      done={actionData ? null : done}
      to={{
        back: { to: href('/place/:token', { token }), text: 'Your place' },
        publicPage: href('/certificates/:number', { number: view.number }),
        pdf: href('/place/:token/:placeId/certificate.pdf', { token, placeId }),
        badge,
      }}
    />
  );
}
