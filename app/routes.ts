import { index, layout, type RouteConfig, route } from '@react-router/dev/routes';

/** Every address of the site. `/healthz`, `/readyz` and `/assets` are answered before the router (server/app.ts). */
export default [
  layout('routes/storefront/layout.tsx', [
    index('routes/storefront/home.tsx'),
    route('courses', 'routes/storefront/courses.tsx'),
    route('course/:courseId', 'routes/storefront/course.tsx'),
    route('certifications', 'routes/storefront/certifications.tsx'),
    route('certifications/:certificationId', 'routes/storefront/certification.tsx'),
    route('quest-lines', 'routes/storefront/quest-lines.tsx'),
    route('quest-lines/:questLineId', 'routes/storefront/quest-line.tsx'),
    route('training-calendar', 'routes/storefront/training-calendar.tsx'),
    route('training-calendar/:sessionId', 'routes/storefront/training-session.tsx'),
    route('combos', 'routes/storefront/combos.tsx'),
    route('about', 'routes/storefront/about.tsx'),
    route('claims', 'routes/storefront/claims.tsx'),
    route('contact', 'routes/storefront/contact.tsx'),
    route('free-resources', 'routes/storefront/free-resources.tsx'),
    route('free-resources/:resourceId', 'routes/storefront/free-resource.tsx'),
    route('faq', 'routes/storefront/faq.tsx'),
    ...['services', 'help', 'privacy', 'terms'].map((slug) =>
      route(slug, 'routes/storefront/text-page.tsx', { id: slug }),
    ),
    route('demo', 'routes/storefront/demo.tsx'),
    route('login', 'routes/storefront/login.tsx'),

    route('enrol', 'routes/enrol/enrol.tsx'),
    route('sent/:reference', 'routes/enrol/sent.tsx'),
    route('unsubscribe/:token', 'routes/storefront/unsubscribe.tsx'),
    route('mail', 'routes/storefront/mail.tsx'),
    route('mail/:mailId', 'routes/storefront/mail-message.tsx'),

    route('book/:kind', 'routes/bookings/book.tsx'),
    route('booked/:reference', 'routes/bookings/booked.tsx'),
    route('booking/:token', 'routes/bookings/booking.tsx'),

    route('*', 'routes/storefront/not-found.tsx'),
  ]),

  layout('routes/staff/layout.tsx', [
    route('staff', 'routes/staff/start.ts'),
    route('staff/enquiries', 'routes/staff/enquiries.tsx'),
    route('staff/enquiries/:reference', 'routes/staff/enquiry.tsx'),
    route('staff/bookings', 'routes/staff/bookings.tsx'),
    route('staff/mail', 'routes/staff/mail.tsx'),
    route('staff/*', 'routes/staff/not-found.tsx'),
  ]),
  route('staff/sign-in', 'routes/staff/sign-in.tsx'),
  route('staff/sign-in/confirm', 'routes/staff/sign-in-confirm.tsx'),
  route('staff/sign-out', 'routes/staff/sign-out.ts'),

  route('api/catalogue', 'routes/api/catalogue.ts'),
  route('api/courses', 'routes/api/courses.ts'),
  route('api/suggestions', 'routes/api/suggestions.ts'),
  route('api/vitals', 'routes/api/vitals.ts'),
  route('promotion/close', 'routes/api/close-promotion.ts'),

  route('art/:file', 'routes/files/art.ts', { id: 'art' }),
  route('art/:kind/:file', 'routes/files/art.ts', { id: 'art-of' }),
  route('share/:file', 'routes/files/share.ts', { id: 'share' }),
  route('share/:kind/:file', 'routes/files/share.ts', { id: 'share-of' }),
  route('course/:courseId/certificate-sample.pdf', 'routes/files/certificate-sample.ts'),
  route('training-calendar.ics', 'routes/files/calendar-feed.ts'),
  route('training-calendar/:sessionId/session.ics', 'routes/files/session-feed.ts'),
  route('mail/:mailId/html', 'routes/files/mail-html.ts'),
  route('sitemap.xml', 'routes/files/sitemap.ts'),
  route('robots.txt', 'routes/files/robots.ts'),
  route('llms.txt', 'routes/files/llms.ts'),
  route('courses.atom', 'routes/files/courses-feed.ts'),
  route('manifest.webmanifest', 'routes/files/manifest.ts'),
  route('icon/:file', 'routes/files/icon.ts'),
  route('.well-known/security.txt', 'routes/files/security-text.ts'),
] satisfies RouteConfig;
