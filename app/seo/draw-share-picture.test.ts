import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { readAcademy } from '#tests/support/academy.ts';
import { torture } from '#tests/support/torture.ts';
import { drawSharePicture, titleHeight, titleHeightAt, titleSize } from './draw-share-picture.server.tsx';
import { sitePicture } from './share-picture.ts';

torture('every title fits on its share picture, those of the catalogue in large letters', async () => {
  const { courses, certifications, questLines } = await readAcademy();
  const names = certifications.flatMap((group) => group.certifications.map(({ name }) => name));
  for (const title of [...courses, ...questLines].map(({ title }) => title).concat(names)) {
    const size = await titleSize(title);
    expect(size, title).toBeGreaterThanOrEqual(48);
    expect(await titleHeightAt(title, size), title).toBeLessThanOrEqual(titleHeight);
  }
  for (const title of ['W'.repeat(80), 'WWWWWWW '.repeat(10).trim()]) {
    expect(await titleHeightAt(title, await titleSize(title)), title).toBeLessThanOrEqual(titleHeight);
  }
});

test('a share picture is a PNG of 1200 by 630 that holds its title', async () => {
  const art = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 225" width="400" height="225"></svg>';
  const draw = async (title: string) =>
    PNG.sync.read(Buffer.from(await drawSharePicture({ ...sitePicture, title }, art)));
  const [one, other] = [await draw('Security+'), await draw('Network+')];
  expect([one.width, one.height]).toEqual([1200, 630]);
  const whiteOf = ({ data }: PNG) => data.filter((value, at) => at % 4 === 0 && value === 255).length;
  expect(whiteOf(one)).toBeGreaterThan(5000);
  expect(one.data.equals(other.data)).toBe(false);
});
