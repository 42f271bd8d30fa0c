import { describe, expect, it } from 'vitest';

import { readConfig } from '../../../src/config/config.ts';
import { findAiCore } from '../../../src/config/service-bindings.ts';
import { readShape } from '../../helpers/published-shapes.ts';

const scheduler = {
  url: 'https://jobscheduler-rest.example.test',
  uaa: { url: 'https://uaa.example.test', clientid: 'made-up', clientsecret: 'made-up-secret' },
};

describe('the bindings of VCAP_SERVICES', () => {
  it('are read as the platform writes them', () => {
    const VCAP_SERVICES = JSON.stringify(readShape('vcap-services'));
    const { integrations } = readConfig({ VCAP_SERVICES });

    expect(integrations).toMatchObject({
      jobScheduler: {
        url: 'https://jobscheduler-rest.example.test',
        credentials: {
          tokenUrl: 'https://subdomain.authentication.example.test/oauth/token',
          clientId: 'placeholder',
        },
      },
      alertNotification: {
        url: 'https://alerts.example.test',
        credentials: {
          tokenUrl:
            'https://subdomain.authentication.example.test/oauth/token?grant_type=client_credentials',
          clientId: 'placeholder',
        },
      },
    });
  });

  it('need not be there', () => {
    const { integrations } = readConfig({ VCAP_SERVICES: '{"other":[{"name":"x"}]}' });

    expect(integrations).toMatchObject({ jobScheduler: undefined, alertNotification: undefined });
  });

  it.each([
    ['uaa.clientsecret', { ...scheduler, uaa: { ...scheduler.uaa, clientsecret: undefined } }],
    ['url', { ...scheduler, url: 'made-up-secret' }],
  ])('are refused when %s cannot be used, without a value in the message', (place, credentials) => {
    const VCAP_SERVICES = JSON.stringify({ jobscheduler: [{ credentials }] });

    expect(() => readConfig({ VCAP_SERVICES })).toThrow(
      `VCAP_SERVICES: the binding of jobscheduler: ${place}`,
    );
    expect(() => readConfig({ VCAP_SERVICES })).not.toThrow('made-up-secret');
  });

  it('come with the name that the platform gave the application', () => {
    const VCAP_APPLICATION = '{"application_name":"quality","space_name":"dev"}';
    const { integrations } = readConfig({
      VCAP_APPLICATION,
      CF_INSTANCE_INDEX: '2',
      ALLOW_EPHEMERAL_DATABASE: 'true',
    });

    expect(integrations.application).toEqual({
      name: 'quality',
      environment: 'dev',
      instance: '2',
    });
  });
});

describe('ALERT_HOSTS', () => {
  it('lists hosts, with all below one', () => {
    const { integrations } = readConfig({ ALERT_HOSTS: 'Hooks.example.com, *.example.org,' });

    expect(integrations.targetPolicy.hosts).toEqual(['hooks.example.com', '*.example.org']);
  });

  it.each(['*', 'https://hooks.example.com', 'a.*.com'])('refuses %s', (ALERT_HOSTS) => {
    expect(() => readConfig({ ALERT_HOSTS })).toThrow('ALERT_HOSTS');
  });
});

describe('findAiCore', () => {
  it.each([
    ['nothing is bound', undefined],
    ['the variable is empty', ''],
    ['other services are bound', '{"xsuaa":[{"credentials":{}}]}'],
  ])('finds none where %s', (_case, services) => {
    expect(findAiCore(services)).toBeUndefined();
  });

  it('finds the credentials of a binding', () => {
    expect(findAiCore(JSON.stringify(readShape('vcap-services')))).toMatchObject({
      clientid: 'placeholder-client',
      serviceurls: { AI_API_URL: 'https://api.ai.example.test' },
    });
  });
});
