import { expect, openHydrated, test } from './fixtures.ts';
import { metricsPort } from './metrics-port.ts';

test('a visit of the sample reports its web vitals when it ends, and sets no cookie', async ({ page, request }) => {
  const series = 'web_vital_seconds_count{route="/combos",name="LCP"} ';
  const reports = async () => {
    const text = await (await request.get(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return Number(
      text
        .split('\n')
        .find((line) => line.startsWith(series))
        ?.slice(series.length) ?? 0,
    );
  };
  const before = await reports();
  // Every visit is in the sample.
  await page.addInitScript(() => {
    Math.random = () => 0;
  });
  const fetched = page.waitForResponse(/report-vitals/);
  await openHydrated(page, '/combos');
  await fetched;
  await page.getByRole('heading', { level: 1 }).click();
  await page.goto('/about');
  await expect.poll(reports).toBe(before + 1);
  expect(await page.context().cookies()).toEqual([]);
});
