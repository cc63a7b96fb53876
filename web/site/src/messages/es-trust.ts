import type { StaticMessages, TrustMessages } from './active.ts'

export const staticMessages: StaticMessages = {
  description: 'Imágenes, textos y sonidos con IA, pagados por resultado en USDC. Sin cuenta, sin gas.',
  tooOld: (browsers) => `Esta página necesita un navegador más nuevo: ${browsers} o posterior.`,
  notLoaded: 'No se pudo cargar esta página. Vuelve a cargarla.',
  intro:
    'Para comprar en esta página hace falta JavaScript. El mismo servicio responde por HTTP, así que cualquier programa puede comprar aquí.',
  models: 'Modelos y precios actuales',
  programs: 'Para programas (llms.txt)',
  startPrices: 'Precios por resultado, desde',
}

const refunds = ['/refunds', 'Reembolsos'] as const
const contact = ['/contact', 'Contacto'] as const

export const trustMessages: TrustMessages = {
  noContact:
    'El operador de este sitio no ha publicado ningún contacto. Aun así, los recibos y los registros en la blockchain son tuyos.',
  status: {
    lead: 'El servicio informa de su propio estado.',
    parts: [
      ['Ahora', 'El informe de estado nombra cada parte: base de datos, cadena, pagos, modelos. `ok` significa bien.'],
      ['Si una parte no funciona', 'Un pago firmado se conserva y se termina después. Nunca se cobra dos veces.'],
    ],
    links: [['/api/health', 'Informe de estado (JSON)'], ['/stats', 'Cifras en tiempo real'], contact],
  },
  refunds: {
    lead: 'Pagas antes de que el modelo se ejecute. Si la ejecución falla definitivamente, el operador te debe el importe.',
    parts: [
      [
        'Qué es automático',
        'La ejecución fallida se registra con su pago y aparece en la lista de pagos pendientes del operador. Nada se devuelve automáticamente.',
      ],
      [
        'Cómo lo recuperas',
        'Escribe al operador con la referencia del resultado. Una persona envía el mismo importe, en el mismo token, a la wallet que pagó, y anota la transacción.',
      ],
      ['Qué no se reembolsa', 'Un resultado que no te gusta, si el modelo lo entregó.'],
      ['Si no se cobró nada', 'Un pago que no se liquidó no movió dinero. La firma caduca a los diez minutos.'],
    ],
    links: [['/history', 'Tu historial'], ['/receipt', 'Comprobar un recibo'], contact],
  },
  terms: {
    lead: 'Las reglas de este servicio, en breve.',
    parts: [
      ['Precio', 'El precio se muestra antes de firmar, y es el precio que pagas. No hay suscripción ni otros cargos.'],
      [
        'Tus resultados',
        'Lo que creas es tuyo, hasta donde lo permitan la licencia del modelo y la ley. Consulta la licencia del modelo antes de vender un resultado.',
      ],
      [
        'No permitido',
        'Todo lo ilegal y todo lo que prohíba el creador del modelo. El operador puede rechazar esas solicitudes.',
      ],
      ['Sin garantía', 'Los modelos se equivocan. Comprueba un resultado antes de confiar en él.'],
      [
        'El operador',
        'Coinslot es un software que cualquiera puede ejecutar. El contrato es con el operador de este sitio.',
      ],
    ],
    links: [refunds, ['/privacy', 'Privacidad'], contact],
  },
  privacy: {
    lead: 'Sin cuenta, sin rastreo y sin peticiones de este sitio a otros.',
    parts: [
      [
        'Qué se guarda',
        'La dirección de tu wallet, lo que pediste, los resultados y los pagos. Pertenecen a tu wallet, y solo ella ve la lista.',
      ],
      [
        'Archivos',
        'Una imagen o un sonido tiene una dirección larga y aleatoria. Quien tenga esa dirección puede abrir el archivo.',
      ],
      [
        'Registros públicos',
        'Los pagos están en una cadena pública. Cualquiera puede ver que tu wallet pagó a este servicio.',
      ],
      [
        'Proveedores de modelos',
        'El prompt y los ajustes llegan al proveedor que ejecuta el modelo, sin tu dirección.',
      ],
      [
        'Cookies',
        'Una para la sesión y otra contra solicitudes falsificadas. Tu borrador y tus pagos sin terminar quedan en tu navegador.',
      ],
    ],
    links: [['/terms', 'Condiciones'], contact],
  },
  contact: {
    lead: 'Preguntas, reembolsos y fallos de seguridad.',
    parts: [
      [
        'Qué incluir',
        'La referencia del resultado o del error, y el hash de la transacción. Nunca envíes una clave privada ni una frase de recuperación.',
      ],
      ['Seguridad', 'Para informar de fallos de seguridad: consulta `/.well-known/security.txt`.'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
}
