import type { StaticMessages, TrustMessages } from './active.ts'

export const staticMessages: StaticMessages = {
  description: 'Imagens, textos e sons com IA, pagos por resultado em USDC. Sem conta, sem taxa de gás.',
  tooOld: (browsers) => `Esta página precisa de um navegador mais novo: ${browsers} ou posterior.`,
  notLoaded: 'Não foi possível carregar esta página. Recarregue.',
  intro:
    'Comprar nesta página exige JavaScript. O mesmo serviço responde por HTTP, então qualquer programa pode comprar aqui.',
  models: 'Modelos e preços atuais',
  programs: 'Para programas (llms.txt)',
  startPrices: 'Preços por resultado, a partir de',
}

const refunds = ['/refunds', 'Reembolsos'] as const
const contact = ['/contact', 'Contato'] as const

export const trustMessages: TrustMessages = {
  noContact:
    'O operador deste site não publicou nenhum contato. Os recibos e os registros na blockchain são seus de qualquer forma.',
  status: {
    lead: 'O serviço informa seu próprio estado.',
    parts: [
      [
        'Agora',
        'O relatório de status cita cada parte: banco de dados, rede, pagamentos, modelos. `ok` quer dizer que está bem.',
      ],
      [
        'Se uma parte está fora do ar',
        'Um pagamento assinado fica guardado e é concluído depois. Nunca é cobrado duas vezes.',
      ],
    ],
    links: [['/api/health', 'Relatório de status (JSON)'], ['/stats', 'Números em tempo real'], contact],
  },
  refunds: {
    lead: 'Você paga antes de o modelo rodar. Se a execução falhar de vez, o operador deve o valor a você.',
    parts: [
      [
        'O que é automático',
        'A execução com falha é registrada com seu pagamento e aparece na lista de valores devidos do operador. Nada é devolvido automaticamente.',
      ],
      [
        'Como receber o valor de volta',
        'Escreva ao operador com a referência do resultado. Uma pessoa envia o mesmo valor, no mesmo token, para a carteira que pagou, e anota a transação.',
      ],
      ['O que não é reembolsado', 'Um resultado de que você não gostou, se o modelo o entregou.'],
      [
        'Se nada foi cobrado',
        'Um pagamento que não foi liquidado não moveu dinheiro. A assinatura expira em dez minutos.',
      ],
    ],
    links: [['/history', 'Seu histórico'], ['/receipt', 'Verificar um recibo'], contact],
  },
  terms: {
    lead: 'As regras deste serviço, em resumo.',
    parts: [
      [
        'Preço',
        'O preço aparece antes de você assinar, e é o preço que você paga. Não há mensalidade nem outra cobrança.',
      ],
      [
        'Seus resultados',
        'O que você cria é seu, até onde a licença do modelo e a lei permitirem. Consulte a licença do modelo antes de vender um resultado.',
      ],
      [
        'Não permitido',
        'Tudo o que for ilegal e tudo o que o criador do modelo proibir. O operador pode recusar esses pedidos.',
      ],
      ['Sem garantia', 'Modelos erram. Confira um resultado antes de confiar nele.'],
      ['O operador', 'Coinslot é um software que qualquer pessoa pode operar. O contrato é com o operador deste site.'],
    ],
    links: [refunds, ['/privacy', 'Privacidade'], contact],
  },
  privacy: {
    lead: 'Sem conta, sem rastreamento e sem requisições deste site a outros.',
    parts: [
      [
        'O que é guardado',
        'O endereço da sua carteira, o que você pediu, os resultados e os pagamentos. Eles pertencem à sua carteira, e só ela vê a lista.',
      ],
      [
        'Arquivos',
        'Uma imagem ou um som tem um endereço longo e aleatório. Quem tiver esse endereço pode abrir o arquivo.',
      ],
      [
        'Registros públicos',
        'Os pagamentos ficam em uma rede pública. Qualquer pessoa pode ver que sua carteira pagou a este serviço.',
      ],
      ['Provedores dos modelos', 'O prompt e os ajustes vão para o provedor que roda o modelo, sem o seu endereço.'],
      [
        'Cookies',
        'Um para o login, outro contra requisições forjadas. Seu rascunho e seus pagamentos não concluídos ficam no seu navegador.',
      ],
    ],
    links: [['/terms', 'Termos'], contact],
  },
  contact: {
    lead: 'Dúvidas, reembolsos e falhas de segurança.',
    parts: [
      [
        'O que informar',
        'A referência do resultado ou do erro, e o hash da transação. Nunca envie uma chave privada nem uma frase de recuperação.',
      ],
      ['Segurança', 'Para relatar falhas de segurança: veja `/.well-known/security.txt`.'],
    ],
    links: [refunds, ['/.well-known/security.txt', 'security.txt']],
  },
}
