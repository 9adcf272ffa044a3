import { data, href } from 'react-router';
import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import { unlessDatabaseAway } from '#app/http/database-away.server.ts';
import { staffMeta } from '#app/routes/staff/frame/staff-meta.ts';
import { renderMarkdown } from '#app/ui/markdown.server.ts';
import { Prose } from '#app/ui/prose.tsx';
import { Back } from '#app/ui/staff/typography.tsx';
import type { Route } from './+types/accepted-terms';
import { findTermsForStaff } from './documents.server.ts';

/** The text of the terms that buyers accepted, word for word (P28). */
export async function loader({ context, params: { id } }: Route.LoaderArgs) {
  const actor = staffFor(context, 'enrolments:read');
  const { db } = context.get(academyContext);
  const text = /^\d{1,9}$/.test(id) ? await unlessDatabaseAway(() => findTermsForStaff(db, actor, Number(id))) : null;
  if (text === null) throw data(`There are no terms ${id}.`, { status: 404 });
  return { html: renderMarkdown(text) };
}

export const meta = () => staffMeta('Terms as accepted');

export default function AcceptedTerms({ loaderData: { html } }: Route.ComponentProps) {
  return (
    <>
      <Back to={href('/staff/enrolments')}>Enrolments</Back>
      <h1 className="mb-6 text-2xl">Terms as accepted</h1>
      <Prose html={html} />
    </>
  );
}
