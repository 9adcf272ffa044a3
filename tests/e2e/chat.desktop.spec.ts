import { ageForm, expect, expectAccessible, openHydrated, test } from './fixtures.ts';

test('P20: messages appear without reloading, with and without a stream, and what is being typed stays', async ({
  page,
  context,
  expectConsole,
}) => {
  await page.clock.install();
  await openHydrated(page, '/chat');
  await page.getByLabel('Your question').fill('Is the Melbourne date certain?');
  await ageForm(page);
  await page.getByRole('button', { name: 'Start Chat' }).click();
  const log = page.getByRole('log', { name: 'Messages' });
  await expect(log).toContainText('Is the Melbourne date certain?');
  const message = page.getByLabel('Your message');
  const other = await context.newPage();
  await openHydrated(other, page.url());
  const say = async (text: string) => {
    await other.getByLabel('Your message').fill(text);
    await other.getByRole('button', { name: 'Send' }).click();
    await expect(other.getByLabel('Your message')).toHaveValue('');
  };

  await message.fill('Half a sen');
  // Timers stand still, so that nothing is polled.
  await page.clock.pauseAt(Date.now() + 60_000);
  await say('With a stream');
  await expect(log).toContainText('With a stream');
  await expect(message).toHaveValue('Half a sen');
  await page.clock.resume();
  await expectAccessible(page);

  expectConsole(/ERR_FAILED/);
  await page.route('**/live', (route, request) =>
    request.headers().accept === 'text/event-stream' ? route.abort() : route.continue(),
  );
  await openHydrated(page, page.url());
  await message.fill('Half a sen');
  await say('Without a stream');
  await page.clock.fastForward(5000);
  await expect(log).toContainText('Without a stream');
  await expect(message).toHaveValue('Half a sen');
});

test('P20: Enter sends a message, Shift+Enter makes a line, and Enter that ends a composed word does neither', async ({
  page,
}) => {
  await openHydrated(page, '/chat');
  await page.getByLabel('Your question').fill('Is the Sydney date certain?');
  await ageForm(page);
  await page.getByRole('button', { name: 'Start Chat' }).click();
  const message = page.getByLabel('Your message');
  await expect(page.getByText('Enter sends. Shift and Enter make a new line.')).toBeVisible();
  await message.press('Enter');
  await message.pressSequentially('First line');
  await message.press('Shift+Enter');
  await message.pressSequentially('Second line');
  await message.dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true });
  await expect(message).toHaveValue('First line\nSecond line');
  await message.press('Enter');
  await expect(page.getByRole('log', { name: 'Messages' })).toContainText(/First line\s+Second line/);
  await expect(message).toHaveValue('');
  await expect(page.getByRole('alert')).toHaveCount(0);
});

test('P20: what is typed while a message is being sent stays, and Enter does not lose it', async ({ page }) => {
  await openHydrated(page, '/chat');
  await page.getByLabel('Your question').fill('Is the Perth date certain?');
  await ageForm(page);
  await page.getByRole('button', { name: 'Start Chat' }).click();
  const message = page.getByLabel('Your message');
  const log = page.getByRole('log', { name: 'Messages' });
  await expect(log).toContainText('Is the Perth date certain?');
  let release = () => {};
  await page.route('**/chat/*.data*', async (route, request) => {
    if (request.method() === 'POST') {
      await new Promise<void>((done) => {
        release = done;
      });
    }
    await route.continue();
  });
  const sendAnd = async (text: string, meanwhile: () => Promise<void>) => {
    const posted = page.waitForRequest((request) => request.method() === 'POST');
    await message.fill(text);
    await message.press('Enter');
    await posted;
    await meanwhile();
    release();
    await expect(log).toContainText(text);
  };
  await sendAnd('First', async () => {
    await message.pressSequentially('Second');
    await message.press('Enter');
  });
  await expect(message).toHaveValue('Second');
  await sendAnd('Third', () => message.fill('Something else'));
  await expect(page.getByRole('button', { name: 'Send' })).toBeEnabled();
  await expect(message).toHaveValue('Something else');
  await sendAnd('Fourth', () => message.press('Enter'));
  await expect(message).toHaveValue('');
});
