import { z } from 'zod';
import type { Academy } from '#app/http/academy.server.ts';
import { type SubmitResult, takeVisitorForm } from '#app/http/forms.server.ts';
import { reportBower } from './commands.server.ts';

const schema = z.object({
  reason: z
    .string()
    .trim()
    .min(1, 'Tell us what is wrong with this bower.')
    .max(1000, 'Please shorten this to 1,000 characters.'),
});

/** Takes a visitor's report about a public bower (P63). Refusals are those of `takeVisitorForm`. */
export function submitReport(
  { forms }: Academy,
  slug: string,
  sent: { form: FormData | null; address: string },
): Promise<SubmitResult> {
  return takeVisitorForm<{ reason: string }>(forms, sent, {
    name: 'bower-report',
    fields: ['reason'],
    parse(values) {
      const parsed = schema.safeParse(values);
      if (parsed.success) return { ok: true, data: parsed.data };
      return { ok: false, errors: { reason: parsed.error.issues[0]?.message ?? '' } };
    },
    async store(trx, { reason }, by) {
      const known = await reportBower(trx, { slug, reason }, by);
      if (!known) return { errors: { reason: 'This bower is no longer public, so you don’t need to report it.' } };
      return { reference: slug, repeat: false };
    },
    findRepeat: async () => null,
  });
}
