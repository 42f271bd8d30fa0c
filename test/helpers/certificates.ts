import { generateKeyPairSync } from 'node:crypto';

import forge from 'node-forge';

/** PEM texts. */
export interface ServerCertificate {
  readonly key: string;
  readonly certificate: string;
}

export interface Authority {
  /** PEM. */
  readonly certificate: string;
  /** A certificate for a host name. */
  readonly certify: (host: string) => ServerCertificate;
}

/** An authority of its own, as a database service has one. */
export function createAuthority(name: string): Authority {
  const keys = createKeys();
  const subject = [{ name: 'commonName', value: name }];
  const own = forge.pki.createCertificate();
  fill(own, keys.public, { serial: '01', subject, issuer: subject });
  own.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
  ]);
  own.sign(keys.private, forge.md.sha256.create());

  return {
    certificate: forge.pki.certificateToPem(own),
    certify(host) {
      const server = createKeys();
      const certificate = forge.pki.createCertificate();
      const owner = [{ name: 'commonName', value: host }];
      fill(certificate, server.public, { serial: '02', subject: owner, issuer: subject });
      certificate.setExtensions([{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }]);
      certificate.sign(keys.private, forge.md.sha256.create());
      return {
        key: forge.pki.privateKeyToPem(server.private),
        certificate: forge.pki.certificateToPem(certificate),
      };
    },
  };
}

interface Keys {
  readonly public: forge.pki.rsa.PublicKey;
  readonly private: forge.pki.rsa.PrivateKey;
}

/** Made by Node, which is many times faster. */
function createKeys(): Keys {
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    public: forge.pki.publicKeyFromPem(pair.publicKey),
    private: forge.pki.privateKeyFromPem(pair.privateKey),
  };
}

function fill(
  certificate: forge.pki.Certificate,
  key: forge.pki.rsa.PublicKey,
  names: {
    readonly serial: string;
    readonly subject: forge.pki.CertificateField[];
    readonly issuer: forge.pki.CertificateField[];
  },
): void {
  const dayMs = 24 * 60 * 60 * 1000;
  certificate.publicKey = key;
  certificate.serialNumber = names.serial;
  certificate.validity.notBefore = new Date(Date.now() - dayMs);
  certificate.validity.notAfter = new Date(Date.now() + dayMs);
  certificate.setSubject(names.subject);
  certificate.setIssuer(names.issuer);
}
