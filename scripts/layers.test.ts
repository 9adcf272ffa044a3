import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '#app/env.server.ts';

/**
 * Who may import whom (docs/architecture.md). A file imports from its own place and from rows above it; places that
 * share a row do not import one another.
 */
const rows = [
  ['app/lib', 'app/env.server.ts'],
  ['app/ui', 'app/db'],
  ['app/emails', 'app/documents', 'app/seo'],
  ['app/http', 'app/jobs', 'app/audit'],
  ['app/outbox'],
  ['app/features/people', 'app/features/content'],
  ['app/features/catalogue'],
  ['app/features/seats'],
  ['app/features/sessions', 'app/features/promotions', 'app/features/site'],
  ['app/features/snapshot'],
  ['app/features/money'],
  ['app/features/enrolments'],
  ['app/features/enrolling'],
  ['app/features/waiting'],
  ['app/features/progress'],
