import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { orAway } from '#app/http/database-away.server.ts';
import { formatDay } from '#app/lib/dates.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { Prose } from '#app/ui/prose.tsx';
import { Back, Words } from '#app/ui/staff/parts.tsx';
import type { Route } from './+types/terms-version';
import { findTermsForStaff } from './documents.server.ts';

/** The text of the terms that buyers accepted, word for word (P28). */
export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db } = context.get(academyContext);
  const version = /^\d{1,9}$/.test(id) ? await orAway(() => findTermsForStaff(db, actor, Number(id))) : null;
  if (!version) throw data(`There is no version ${id} of the terms.`, { status: 404 });
  const { inForceFrom, body } = version;
  return { title: `Terms in force since ${formatDay(inForceFrom)}`, html: body === null ? null : renderMarkdown(body) };
}

export const meta: Route.MetaFunction = ({ loaderData }) => staffMeta(loaderData?.title ?? 'Terms');

export default function TermsVersion({ loaderData: { title, html } }: Route.ComponentProps) {
  return (
    <>
      <Back to={href('/staff/enrolments')}>Enrolments</Back>
      <h1 className="mb-6 text-2xl">{title}</h1>
      {html === null ? <Words>The text was not kept at that time.</Words> : <Prose html={html} />}
    </>
  );
}
