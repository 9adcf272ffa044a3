import { staffFor } from '#app/features/people/staff-only.server.ts';
import { academyContext } from '#app/http/academy.server.ts';
import type { Route } from './+types/list-file';
import { notFound } from './csv-file.server.ts';
import { csvFiles } from './list-files.server.ts';

const fileOf = (name: string) => (Object.hasOwn(csvFiles, name) ? csvFiles[name] : undefined);
const needsOf = (name: string) => fileOf(name)?.needs ?? 'lists:export';

/** A file of rows for staff, as CSV (P78). */
export async function loader({ context, params, request, url }: Route.LoaderArgs): Promise<Response> {
  const actor = staffFor(context, needsOf(params.list));
  const academy = context.get(academyContext);
  const asked = { academy, actor, params: url.searchParams, context, headOnly: request.method === 'HEAD' };
  return fileOf(params.list)?.read(asked) ?? notFound();
}
