import { longestVitals, vitalsContext, vitalsSchema } from '#app/http/vitals.server.ts';
import type { Route } from './+types/vitals';

const fields = { 'Cache-Control': 'no-store', 'Content-Type': 'text/plain; charset=utf-8' };

/** Browsers only post here. */
export function loader(): Response {
  return new Response('Not found\n', { status: 404, headers: fields });
}

/** `POST /api/vitals`: a browser's measurements of one visit, sent as the visitor leaves, for the metrics. */
export async function action({ request, context }: Route.ActionArgs): Promise<Response> {
  const text = await request.text();
  const read = text.length <= longestVitals ? vitalsSchema.safeParse(parse(text)) : null;
  if (!read?.success) {
    return new Response('These are not measurements of a visit. Nothing was saved.\n', {
      status: 400,
      headers: fields,
    });
  }
  context.get(vitalsContext)?.record(read.data);
  return new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
