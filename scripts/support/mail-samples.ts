import { createServer } from 'vite';

/** Every email with sample data as HTML, by its kind, as `npm run mail` shows them. */
export async function mailsAsHtml(): Promise<Record<string, string>> {
  const vite = await createServer({
    server: { middlewareMode: true, ws: false },
    appType: 'custom',
    logLevel: 'error',
  });
  const { mailSamples } = (await vite.ssrLoadModule(
    '/app/emails/samples.ts',
  )) as typeof import('#app/emails/samples.ts');
  const mails = Object.entries(mailSamples).map(([kind, sample]) => [kind, sample().html]);
  await vite.close();
  return Object.fromEntries(mails);
}
