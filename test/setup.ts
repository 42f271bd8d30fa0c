import nock from 'nock';
import { afterEach, beforeEach } from 'vitest';

// The network is closed to every test but for this machine's own services.
beforeEach(() => {
  nock.disableNetConnect();
  nock.enableNetConnect((host) => /^(127\.0\.0\.1|localhost|\[::1\])(:|$)/.test(host));
});
afterEach(() => nock.cleanAll());
