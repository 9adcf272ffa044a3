import { createDb } from '#app/db/client.server.ts';
import { openEmbeddedPostgres } from '#app/db/embedded-postgres.server.ts';
import { beginSignIn } from '#app/features/people/sign-ins.server.ts';
import { expect, expectAccessible, test } from '#tests/e2e/fixtures.ts';
import { programData } from '#tests/e2e/program-data.ts';

test('P53: a player adds a passkey, logs out and logs in with it; the header has their name', async ({
  page,
  context,
  baseURL,
}) => {
  const server = await openEmbeddedPostgres(programData, () => undefined);
  const db = createDb(server.connection, () => undefined);
  const person = db.insertInto('people').values({ email: 'bandicoot@example.org', name: 'Alexandrina Brennan' });
  const { id } = await person.returning('id').executeTakeFirstOrThrow();
  const at = new Date();
  await db.insertInto('players').values({ person_id: id, since: at }).execute();
  const browser = 'Chrome on Linux';
  const token = await beginSignIn(db, { personId: id, audience: 'player', awaits: null, leadsTo: '/', browser, at });
  await db.destroy();
  await server.release();
  await context.addCookies([{ name: 'player', value: token, url: baseURL ?? '' }]);

  const devtools = await context.newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });

  await page.goto('/account/settings');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await expect(page.getByText('Saved. We emailed you about this change')).toBeVisible();
  await expect(page.getByText('Chrome on Linux, added')).toBeVisible();
  await page.getByRole('button', { name: 'Log out', exact: true }).click();
  await expect(page).toHaveURL(`${baseURL}/`);

  await page.goto('/login?to=%2Faccount%2Fsettings');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'or a passkey' }).click();
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible();
  await page.goto('/about');
  await expect(page.getByRole('banner').getByRole('link', { name: 'Alexand…' })).toHaveAttribute('href', '/account');
});
