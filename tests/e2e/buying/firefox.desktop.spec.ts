import { test as base } from '@playwright/test';
import { Visitor } from '#scripts/engines/engine.ts';
import { firefox } from '#scripts/engines/firefox.ts';
import { smokeJourney } from '#scripts/engines/journey.ts';
import { listeningProxy } from '#scripts/engines/listening-proxy.ts';

const missing = firefox.missing();

// Outside `fixtures.ts`, whose browser it does not need.
base(
  'a visitor with Firefox filters, goes back, reads in dark, begins to enrol and chats, and no page reports an error',
  async ({ baseURL }) => {
    base.skip(missing !== null, `${missing}: npm run engines says what it needs`);
    const proxy = await listeningProxy(baseURL ?? '');
    try {
      await firefox.drive((driver) => smokeJourney(new Visitor(driver, proxy.origin)));
    } finally {
      proxy.close();
    }
  },
);
